/* Lives of locals and thread-locals as steps: their ends, and the beginnings of others in the same place.
 *
 * What other threads have touched, or were seen to touch in this exploration (SHADOW_SHARED), ends with a FREE of these bytes: a step that
 * depends on all accesses to them, as free() is. So whether somebody still uses a local when its function has returned does not hang on
 * what the strategy happens to do. A frame, a scope or a jump over several frames ends with one step, from its first such byte to its last.
 * A frame that takes such bytes into use begins with an ALLOC of them: a use that comes too late finds a dead local before, and somebody
 * else's variable behind.
 *
 * Nothing of this costs a step where no other thread comes near. */
#include "machine/memory/access.h"
#include "machine/memory/buffer.h"

/* The shared bytes of [from, to): from the first to the last. False: there are none. */
static bool shared_hull(uint64_t *from, uint64_t *to) {
  while (*from < *to && !(*shadow_at(*from) & SHADOW_SHARED)) (*from)++;
  while (*from < *to && !(*shadow_at(*to - 1) & SHADOW_SHARED)) (*to)--;
  return *from < *to;
}

bool life_ends(struct machine *m, struct thread *t, uint64_t from, uint64_t to) {
  const struct region *r = &m->memory.regions[t->tid];
  if (from < r->stack_low) from = r->stack_low;
  if (to > r->stack_high) to = r->stack_high;
  if (m->single || from >= to || !shared_hull(&from, &to)) return true;
  t->next_flags = EVENT_LOCAL;
  return machine_visible(m, t, EVENT_FREE, from, to - from, 0, false);
}

bool life_begins(struct machine *m, struct thread *t, uint64_t from, uint64_t size) {
  uint64_t to = from + size;
  if (m->single || !memory_known_shared(&m->memory, t->tid, &from, &to)) return true;
  return machine_visible(m, t, EVENT_ALLOC, from, to - from, 0, false);
}

/* --- ends of several frames at once, and of a thread --- */

/* While a builtin unwinds it may stand behind other steps of its own, so that it cannot be called again: leave_go_on() takes its place. */
enum run unwind_ends(struct machine *m, struct thread *t, uint64_t sp) {
  if (t->leaves == LEAVES_GRANTED) {
    t->leaves = LEAVES_NOTHING;
    return RUN_GO;
  }
  if (life_ends(m, t, sp, m->memory.regions[t->tid].sp)) return RUN_GO;
  t->leaves = LEAVES_FRAMES;
  return RUN_YIELD;
}

static uint64_t thread_local_at(const struct thread *t, const struct image_global *g) { return region_tls(t->tid) + g->address; }

/* The program's; those of library models stay: threads look at each other's signals. False: none of them is shared. */
static bool thread_locals_hull(const struct machine *m, const struct thread *t, uint64_t *from, uint64_t *to) {
  *from = UINT64_MAX, *to = 0;
  for (size_t i = 0; i < m->thread_locals.count; i++) {
    const struct image_global *g = &m->image->globals[m->thread_locals.data[i]];
    uint64_t first = thread_local_at(t, g), end = first + g->size;
    if (!shared_hull(&first, &end)) continue;
    if (first < *from) *from = first;
    if (end > *to) *to = end;
  }
  return *from < *to;
}

void thread_locals_begin(struct machine *m, struct thread *t, const struct thread *child) {
  uint64_t from, to;
  bool again = m->nagain && m->again[m->nagain - 1] == child->tid;
  if (!again || m->single || m->memory.regions[child->tid].stack_high == 0 || !thread_locals_hull(m, child, &from, &to)) return;
  machine_record(m, t, EVENT_ALLOC, from, to - from);
}

bool thread_locals_end(struct machine *m, struct thread *t) {
  uint64_t from, to;
  bool ended = t->leaves == LEAVES_GRANTED;
  if (t->leaves == LEAVES_ENDS) return false;
  /* Where they end it could have been interrupted, and ends with that step: a handler that came later would find none of them. */
  t->leaves = ended ? LEAVES_ENDS : LEAVES_NOTHING;
  if (ended || m->single || m->memory.regions[t->tid].stack_high == 0 || !thread_locals_hull(m, t, &from, &to)) return false;
  if (t->ends_at) m->site = t->ends_at; /* not that of its last step: which that is depends on what memory is shared */
  if (machine_visible(m, t, EVENT_FREE, from, to - from, 0, false)) return false;
  t->leaves = LEAVES_THREAD;
  return true;
}

void thread_locals_close(struct machine *m, const struct thread *t) {
  for (size_t i = 0; i < m->thread_locals.count; i++) {
    const struct image_global *g = &m->image->globals[m->thread_locals.data[i]];
    memory_shadow_set(&m->memory, thread_local_at(t, g), g->size, POISON_DEAD_STACK);
  }
}

enum run leave_go_on(struct machine *m, struct thread *t) {
  enum leaves leaves = (enum leaves)t->leaves;
  m->site = t->pending.site, m->insn_from = m->trace.count;
  event_append(m, t, &t->pending);
  t->granted = false;
  t->leaves = leaves == LEAVES_LAST ? LEAVES_ENDS : LEAVES_GRANTED;
  if (leaves == LEAVES_THREAD) thread_locals_close(m, t);
  if (leaves == LEAVES_LAST) return t->stage == STAGE_START ? thread_bottom(m, t, t->result) : RUN_END;
  return leaves == LEAVES_THREAD ? RUN_END : unwind(m, t, false);
}
