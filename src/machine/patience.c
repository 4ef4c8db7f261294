/* Patience: what becomes of a thread that runs on and on without a visible step while there are others.
 *
 * What memory is shared is found out on the way, and `while (!flag);` has no step as long as nobody else was seen to touch `flag`. So in an
 * exploration a step that has not ended after some ten thousand jumps is taken for one without end: its thread stops there for good, as
 * one that failed alone does (machine_park()), and the others go on. What they do is what they could have done: a step that nobody sees
 * depends on nothing, and other threads need not wait for its end. If one of them touches what the loop reads, more memory is shared, and
 * the exploration begins again: now the loop has steps. If none does, it begins again with more patience for that place in the program:
 * loops of millions of turns that end are nothing special. If that was not enough, all that the others do is explored with the thread
 * stopping early, and only then, if nothing was found, it has as much time as the limit on jumps allows (machine_wait_longer()). What is
 * longer than that is cut, which is a bound.
 *
 * A loop that comes back to the very same state needs no patience: alone, it goes round in this circle for ever.
 *
 * Where one execution is all there is (exec), or what comes next is known (replay: no limit on jumps), the thread rests before a step of
 * its own instead, so that others have their turn. */
#include "machine/internal.h"
#include "machine/sync/sync.h"

/* How long a step at a place may be: at first; once others were seen not to touch what it reads; after that; when nothing else is left to
 * be explored; and when even that was not enough. */
enum patience { PATIENCE_LOW, PATIENCE_HIGH, PATIENCE_SPENT, PATIENCE_LIMIT, PATIENCE_OVER };
#define JUMPS_LOW   BUDGET_SLICE
#define JUMPS_HIGH  (1u << 25) /* ten million turns of a simple loop: less than a second */
#define JUMPS_SPENT (1u << 20)

/* Jumps among which a circle is looked for, and how often threads that stand alike are compared as a whole. */
#define CIRCLE_JUMPS    4096u
#define CIRCLE_COMPARED 4u

/* The place of the loop, whichever of its instructions the thread stands before: the innermost function and the calls that led there. */
static uint64_t place_of(const struct thread *t) {
  uint64_t h = t->tid;
  for (size_t i = 0; i < t->frames.count; i++) {
    const struct frame *frame = &t->frames.data[i];
    h = hash_pair(h, i + 1 < t->frames.count ? frame->pc : (uint64_t)frame->function << 32);
  }
  return h;
}

static enum patience patience_for(const struct machine *m, uint64_t place) {
  const uint64_t *level = hashmap_find(&m->patience, place);
  return level ? (enum patience) * level : PATIENCE_LOW;
}

static uint64_t patience_jumps(const struct machine *m, enum patience level) {
  static const uint64_t jumps[] = {JUMPS_LOW, JUMPS_HIGH, JUMPS_SPENT, UINT64_MAX, JUMPS_SPENT};
  return jumps[level] < m->options.insn_limit ? jumps[level] : m->options.insn_limit;
}

/* --- circles --- */

static uint64_t heap_of(const struct machine *m, const struct thread *t) { return m->memory.regions[t->tid].heap_top; }

static void circle_begin(struct machine *m, const struct thread *t) {
  struct machine_circle *c = &m->circle;
  *c = (struct machine_circle){.looking = true, .local = thread_local_hash(m, t), .heap = heap_of(m, t), .state = machine_fingerprint(m)};
}

/* The thread has made another jump. Is everything as it was when it was looked at first? */
static bool circle_closed(struct machine *m, const struct thread *t) {
  struct machine_circle *c = &m->circle;
  c->jumps++;
  if (heap_of(m, t) == c->heap && thread_local_hash(m, t) == c->local) {
    c->compared++;
    if (fingerprint_equal(machine_fingerprint(m), c->state)) return true;
  }
  c->looking = c->jumps < CIRCLE_JUMPS && c->compared < CIRCLE_COMPARED;
  return false;
}

/* --- the end of patience --- */

/* It has left its last step behind: a failure that others prevented. */
static void leave_step(struct machine *m, struct thread *t) {
  if (t->granted && event_fails(&t->pending)) event_append(m, t, &t->pending);
  t->granted = false;
}

static enum run stop_for_good(struct machine *m, struct thread *t, bool circling) {
  leave_step(m, t);
  t->waiting = false;
  thread_changes(t);
  t->need = NEED_NEVER_MET;
  t->pending = (struct event){.op = EVENT_NONE, .thread = t->tid, .site = m->site};
  tset_add(&m->parked, t->tid);
  if (circling) tset_add(&m->circling, t->tid);
  return RUN_YIELD;
}

enum run thread_stays(struct machine *m, struct thread *t) { return stop_for_good(m, t, false); }

static enum run rest(struct machine *m, struct thread *t) {
  leave_step(m, t);
  t->next_order = t->next_flags = 0;
  t->pending = (struct event){.op = EVENT_YIELD, .thread = t->tid, .site = m->site};
  t->need = NEED_NOTHING;
  t->rests = true;
  return RUN_YIELD;
}

/* Gives the thread up if its step was long enough. */
static enum run give_up(struct machine *m, struct thread *t) {
  uint64_t place = place_of(t);
  enum patience level = patience_for(m, place);
  if (m->step_jumps < patience_jumps(m, level)) return RUN_GO;
  if (level != PATIENCE_SPENT && level != PATIENCE_OVER) *vec_push(&m->impatient) = place;
  tset_add(&m->unended, t->tid);
  return stop_for_good(m, t, false);
}

enum run patience_spent(struct machine *m, struct thread *t) {
  if (m->options.once) return rest(m, t);
  if (m->step_jumps == JUMPS_LOW)
    circle_begin(m, t);
  else if (m->circle.looking && circle_closed(m, t))
    return stop_for_good(m, t, true);
  m->budget = m->circle.looking ? 0 : BUDGET_SLICE;
  if (m->circle.looking) return RUN_GO;
  return m->options.insn_limit ? give_up(m, t) : rest(m, t);
}

/* Circles are looked for from jumps on whose numbers double, so that one is found however late it begins. */
bool patience_alone(struct machine *m, const struct thread *t) {
  uint64_t slices = m->step_jumps / BUDGET_SLICE;
  bool looked = m->circle.looking, closed = looked && circle_closed(m, t);
  if (!looked && (slices & (slices - 1)) == 0) circle_begin(m, t);
  m->budget = m->circle.looking ? 0 : BUDGET_SLICE;
  return closed;
}

void patience_learn(struct machine *m) {
  for (size_t i = 0; i < m->impatient.count && !m->memory.sharing_changed; i++)
    *hashmap_at(&m->patience, m->impatient.data[i], PATIENCE_LOW, NULL) += 1;
  vec_clear(&m->impatient);
}

bool machine_rests(const struct machine *m, uint32_t thread) { return (thread < AGENTS_FROM || !m->buffers) && m->threads[thread]->rests; }

bool machine_wait_longer(struct machine *m) {
  bool any = false;
  for (size_t i = 0; i < m->patience.cap; i++) {
    if (!m->patience.used[i] || m->patience.values[i] != PATIENCE_SPENT) continue;
    m->patience.values[i] = PATIENCE_LIMIT;
    any = true;
  }
  return any;
}
