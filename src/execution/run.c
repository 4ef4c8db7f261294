#include "execution/run.h"

#include <assert.h>
#include <stdio.h>

#include "base/deadline.h"
#include "execution/livelock.h"

#define LIVELOCK_FROM 256u
#define INPUTS_FROM   32u

void run_init(struct run *r, struct machine *m) { *r = (struct run){.machine = m}; }

void run_release(struct run *r) {
  vec_release(&r->steps.steps);
  vec_release(&r->ends);
  vec_release(&r->marks);
  vec_release(&r->parked);
  loops_release(&r->loops);
}

/* Its sites need not be cleared: they are written before `nsites` counts them. */
static inline void circle_begin(struct circle *c, uint32_t thread) {
  c->thread = thread, c->steps = c->nsites = c->held = 0, c->found = false;
}

/* A step of `thread`, by itself or after steps of its own. No branch: which thread goes next is what cannot be foreseen. */
static inline void circle_follow(struct circle *c, uint32_t thread) {
  bool same = c->thread == thread;
  uint32_t keep = 0 - (uint32_t)same;
  c->thread = thread, c->steps = (c->steps & keep) + 1, c->nsites &= keep, c->found &= same;
}

void run_begin(struct run *r) {
  machine_reset(r->machine);
  if (r->loops.bound) loops_begin(&r->loops, r->machine);
  vec_clear(&r->steps.steps);
  vec_clear(&r->ends);
  vec_clear(&r->marks);
  vec_clear(&r->parked);
  r->mark_next = 1; /* the initial state is kept anyway */
  r->livelock = (struct livelock){.next = LIVELOCK_FROM};
  r->inputs = (struct input_circle){.next = INPUTS_FROM};
  circle_begin(&r->circle, THREADS_MAX);
  r->given_up = r->cut = r->too_long = r->stopped = false;
}

/* The state held is that before the step `from`; a cycle counts if every thread that could go in it went. */
static void look_for_livelock(struct run *r, uint32_t thread) {
  struct livelock *l = &r->livelock;
  uint32_t depth = (uint32_t)r->steps.steps.count;
  if (machine_status(r->machine) != MACHINE_RUNNING) return;
  const struct event *pending = machine_pending(r->machine, thread);
  const struct tset *enabled = machine_enabled(r->machine);
  if (depth == l->next) {
    *l = (struct livelock){.from = depth, .next = depth * 2, .thread = thread, .site = pending->site, .enabled = *enabled};
    l->threads = machine_threads_fingerprint(r->machine);
    l->state = machine_fingerprint(r->machine);
    return;
  }
  tset_add(&l->stepped, thread);
  if (thread != l->thread || pending->site != l->site) return;
  struct tset idle = l->enabled;
  tset_minus(&idle, &l->stepped);
  bool fair = tset_empty(&idle);
  if (!fair && (!r->circles || tset_count(&l->stepped) < 2)) return; /* one thread's circle is not looked for here */
  if (!fingerprint_equal(machine_threads_fingerprint(r->machine), l->threads)) return;
  if (!fingerprint_equal(machine_fingerprint(r->machine), l->state)) return;
  l->found = !l->late;
  r->circle.found |= l->late;
  l->judged = l->left = !fair;             /* one of those that took no step leads out */
  l->known = !machine_unended(r->machine); /* else that thread may have what the others wait for */
}

/* Will the step say of a thread that has ended that it has not? machine/sync/thread.c */
static bool says_late(const struct run *r, struct step step) {
  return step.choice == 1 && machine_pending(r->machine, step.thread)->op == EVENT_JOIN &&
         !machine_interruption(r->machine, step.thread, step.choice);
}

#define CIRCLE_FROM 24u
#define HELD_FROM   64u

static bool is_power_of_two(uint32_t n) { return (n & (n - 1)) == 0; }

/* True: it is the state held. */
static bool compare_held(struct run *r, uint32_t site) {
  struct circle *c = &r->circle;
  if (c->steps >= HELD_FROM && is_power_of_two(c->steps)) {
    c->held = c->steps, c->held_site = site;
    c->held_threads = machine_threads_fingerprint(r->machine), c->held_state = machine_fingerprint(r->machine);
    return false;
  }
  return c->steps > HELD_FROM && c->held && site == c->held_site &&
         fingerprint_equal(machine_threads_fingerprint(r->machine), c->held_threads) &&
         fingerprint_equal(machine_fingerprint(r->machine), c->held_state);
}

static void look_for_circle(struct run *r, uint32_t thread) {
  struct circle *c = &r->circle;
  if (machine_status(r->machine) != MACHINE_RUNNING || !tset_has(machine_alive(r->machine), thread)) return;
  if (tset_count(machine_enabled(r->machine)) < 2) return; /* nobody else could run: that would be a livelock */
  uint32_t site = machine_pending(r->machine, thread)->site, i = 0;
  if (compare_held(r, site)) {
    c->found = true;
    return;
  }
  while (i < c->nsites && c->sites[i].site != site) i++;
  if (i == CIRCLE_SITES) return;
  if (i == c->nsites) c->sites[c->nsites++].site = site, c->sites[i].visits = 0;
  struct fingerprint threads = machine_threads_fingerprint(r->machine);
  if (c->sites[i].visits == 0 || !fingerprint_equal(threads, c->sites[i].threads)) {
    c->sites[i].threads = threads, c->sites[i].visits = 1;
    return;
  }
  struct fingerprint state = machine_fingerprint(r->machine);
  c->found = ++c->sites[i].visits > 2 && fingerprint_equal(state, c->sites[i].state);
  c->sites[i].state = state;
}

/* A state costs as much to compare as it has in it, which may grow from turn to turn. */
#define INPUT_COMPARISONS 64u

static void look_for_input_circle(struct run *r, uint32_t thread) {
  struct input_circle *c = &r->inputs;
  uint32_t depth = (uint32_t)r->steps.steps.count;
  if (machine_status(r->machine) != MACHINE_RUNNING) return;
  uint32_t site = machine_pending(r->machine, thread)->site;
  size_t inputs = machine_inputs(r->machine);
  if (depth >= c->next) {
    *c = (struct input_circle){
        .next = 2 * depth, .thread = thread, .site = site, .inputs = inputs, .state = machine_live_state(r->machine, false)};
    return;
  }
  bool comparable = thread == c->thread && site == c->site && inputs != c->inputs && c->compared++ < INPUT_COMPARISONS;
  if (inputs >= NONDET_MOST || (comparable && fingerprint_equal(c->state, machine_live_state(r->machine, false))))
    r->livelock.found = r->livelock.known = r->livelock.judged = r->livelock.left = true;
}

bool run_possible(const struct run *r, struct step step) {
  return step.thread < THREADS_MAX && tset_has(machine_enabled(r->machine), step.thread) &&
         step.choice < machine_alternatives(r->machine, step.thread);
}

/* The step failed: its thread alone, perhaps. */
[[gnu::noinline]] static void park(struct run *r, uint32_t thread, enum machine_status *status) {
  uint32_t depth = (uint32_t)r->steps.steps.count, from = depth > 1 ? r->ends.data[depth - 2] : 0;
  struct run_parked parked = {depth - 1, finding_key(machine_finding(r->machine))};
  if (!machine_park(r->machine, thread, from)) return;
  *vec_push(&r->parked) = parked;
  *status = machine_status(r->machine);
}

/* Takes the step and makes its entry; true if anything recurs. */
static inline bool take(struct run *r, struct step step, enum machine_status *status) {
  if (r->loops.bound) loops_enter(&r->loops, r->machine, step.thread);
  if (r->steps.steps.count >= LIVELOCK_FROM && says_late(r, step)) r->livelock.late = true;
  *status = machine_step(r->machine, step.thread, step.choice);
  *vec_push(&r->steps.steps) = step;
  machine_trace(r->machine, vec_push(&r->ends));
  if (__builtin_expect(*status == MACHINE_FAILED, 0) && r->parks) park(r, step.thread, status);
  if (r->loops.bound) loops_leave(&r->loops, r->machine, step.thread);
  if (__builtin_expect(r->unwatched, 0)) return false;
  circle_follow(&r->circle, step.thread);
  if (__builtin_expect(r->input_circles, 0) && r->steps.steps.count >= INPUTS_FROM) look_for_input_circle(r, step.thread);
  if (r->circle.steps <= CIRCLE_FROM && r->steps.steps.count < LIVELOCK_FROM) return r->livelock.found;
  if (r->circle.steps > CIRCLE_FROM) look_for_circle(r, step.thread);
  if (r->steps.steps.count >= LIVELOCK_FROM) look_for_livelock(r, step.thread);
  return r->circle.found || r->livelock.found;
}

enum machine_status run_step(struct run *r, struct step step) {
  enum machine_status status;
  take(r, step, &status);
  return status;
}

bool run_going(const struct run *r) {
  return machine_status(r->machine) == MACHINE_RUNNING && !r->livelock.found && !r->circle.found &&
         (!r->step_limit || r->steps.steps.count < r->step_limit);
}

struct execution run_view(const struct run *r) {
  uint32_t events;
  const struct event *trace = machine_trace(r->machine, &events);
  return (struct execution){.machine = r->machine,
                            .enabled = r->loops.bound ? &r->loops.enabled : machine_enabled(r->machine),
                            .alive = r->loops.bound ? &r->loops.alive : machine_alive(r->machine),
                            .steps = r->steps.steps.data,
                            .ends = r->ends.data,
                            .trace = trace,
                            .depth = (uint32_t)r->steps.steps.count,
                            .loops = r->loops.hash};
}

/* Adds the threads that wait for one of these to end. */
static void add_joiners(const struct run *r, struct tset *stuck) {
  const struct tset *alive = machine_alive(r->machine);
  for (uint32_t t = tset_next(alive, 0); t < THREADS_MAX; t = tset_next(alive, t + 1)) {
    const struct event *e = machine_pending(r->machine, t);
    bool waits = e->op == EVENT_JOIN && !(e->flags & (EVENT_TRY | EVENT_TIMED)) && e->object < THREADS_MAX;
    if (!waits || tset_has(stuck, t) || !tset_has(stuck, (uint32_t)e->object)) continue;
    tset_add(stuck, t);
    t = UINT32_MAX; /* somebody may wait for this one */
  }
}

/* The machine ends an execution as soon as some threads are deadlocked, so the step that does it ends it for the others. Unless there are
 * none and were none: everybody takes part in the deadlock or waits for those who do. */
static bool is_total_deadlock(const struct run *r) {
  const struct finding *f = machine_finding(r->machine);
  if (f->kind != FINDING_DEADLOCK && f->kind != FINDING_LOST_WAKEUP) return false;
  struct tset stuck = {0}, others = *machine_alive(r->machine);
  for (size_t i = 0; i < f->sites.count; i++) {
    if (f->sites.data[i].thread < THREADS_MAX) tset_add(&stuck, f->sites.data[i].thread);
  }
  if (tset_count(&stuck) < 2) return false; /* a lock that the thread holds itself */
  add_joiners(r, &stuck);
  tset_minus(&others, &stuck);
  uint32_t n;
  const struct event *trace = machine_trace(r->machine, &n);
  for (uint32_t i = 0; i < n; i++) {
    if (trace[i].op == EVENT_END) return false;
  }
  return tset_empty(&others);
}

void run_finish(struct run *r) {
  enum machine_status status = machine_status(r->machine);
  r->cut = !r->given_up && !machine_exhausted(r->machine);
  switch (status) {
    case MACHINE_RUNNING:
      if ((r->livelock.found ? r->livelock.left || machine_may_wait(r->machine) : r->circle.found) && !r->given_up) {
        r->end = EXECUTION_CIRCLE;
        break;
      }
      bool stopped = r->loops.bound && tset_empty(&r->loops.enabled);
      r->cut &= !stopped;
      r->too_long = !r->given_up && !r->livelock.found && !stopped;
      r->end = r->livelock.found && r->livelock.known ? EXECUTION_FAILED : r->given_up ? EXECUTION_COMPLETE : EXECUTION_LIMIT;
      break;
    case MACHINE_DONE:
      r->end = EXECUTION_COMPLETE;
      break;
    case MACHINE_FAILED:
      r->end = EXECUTION_FAILED;
      r->cut &= !is_total_deadlock(r);
      break;
    case MACHINE_ASSUMED:
      r->end = EXECUTION_ASSUMED;
      break;
    case MACHINE_BLOCKED:
      r->end = r->parked.count ? EXECUTION_FAILED : machine_unended(r->machine) ? EXECUTION_LIMIT : EXECUTION_STUCK;
      r->cut = false;
      break;
    case MACHINE_LIMIT:
    case MACHINE_UNSUPPORTED:
      r->end = EXECUTION_LIMIT;
      break;
  }
}

/* --- states on the way that are kept --- */

/* Saving a state must cost no more than the steps that it saves: one mark in so many steps. The deeper, the fewer: going on from the last
 * one repeats a small part of the execution in any case, and long executions do not fill the memory. */
#define MARK_BYTES_A_STEP 8192u
#define MARK_DEPTH_A_STEP 64u

void run_keep(struct run *r) {
  uint32_t depth = (uint32_t)r->steps.steps.count;
  size_t bytes;
  struct run_mark *mark = vec_push(&r->marks);
  mark->depth = depth, mark->livelock = r->livelock, mark->inputs = r->inputs;
  mark->circle_thread = r->circle.thread, mark->circle_steps = r->circle.steps;
  mark->loops_cut = r->loops.cut;
  mark->number = machine_mark(r->machine, &bytes);
  r->mark_next = depth + 2 + (uint32_t)(bytes / MARK_BYTES_A_STEP) + depth / MARK_DEPTH_A_STEP;
}

/* A thread that has run alone for long has a history, which is not kept. */
static void keep_state(struct run *r) {
  if (r->circle.nsites == 0) run_keep(r);
}

static size_t common_steps(const struct run *r, const struct step *steps, size_t n) {
  size_t most = r->steps.steps.count < n ? r->steps.steps.count : n, i = 0;
  while (i < most && step_equal(r->steps.steps.data[i], steps[i])) i++;
  return i;
}

void run_return(struct run *r, const struct step *steps, size_t n) {
  size_t common = r->marks.count && !machine_sharing_changed(r->machine) ? common_steps(r, steps, n) : 0;
  while (r->marks.count && vec_last(&r->marks).depth > common) r->marks.count--;
  if (r->marks.count == 0) {
    run_begin(r);
    return;
  }
  const struct run_mark *mark = &vec_last(&r->marks);
  machine_rollback(r->machine, mark->number);
  r->steps.steps.count = r->ends.count = mark->depth;
  while (r->parked.count && vec_last(&r->parked).step >= mark->depth) r->parked.count--;
  if (r->loops.bound) loops_return(&r->loops, r->machine, mark->depth, mark->loops_cut);
  r->mark_next = mark->depth + 2;
  r->livelock = mark->livelock, r->inputs = mark->inputs;
  circle_begin(&r->circle, mark->circle_thread);
  r->circle.steps = mark->circle_steps;
  r->given_up = r->cut = r->too_long = r->stopped = false;
}

/* The time ended before the execution did. */
static bool stop(struct run *r) {
  r->stopped = true;
  run_finish(r);
  return true;
}

bool run_follow(struct run *r, const struct step *steps, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (machine_status(r->machine) != MACHINE_RUNNING || !run_possible(r, steps[i])) return false;
    run_step(r, steps[i]);
  }
  return true;
}

bool run_with(struct run *r, const struct strategy_type *type, struct strategy *s, const struct schedule *prefix) {
  run_return(r, prefix->steps.data, prefix->steps.count);
  size_t known = r->steps.steps.count;
  if (prefix->steps.count > known && !run_follow(r, prefix->steps.data + known, prefix->steps.count - known))
    return deadline_passed ? stop(r) : false; /* it may have ended a long step */
  struct execution x = run_view(r);
  bool going = run_going(r) && !tset_empty(x.enabled);
  while (going) {
    struct step step;
    enum machine_status status;
    enum pick pick = type->pick(s, &x, &step);
    if (pick == PICK_GIVE_UP) {
      r->given_up = true;
      break;
    }
    assert(run_possible(r, step));
    if (pick == PICK_RETURN && x.depth >= r->mark_next) keep_state(r);
    bool recurs = take(r, step, &status);
    x.trace = machine_trace(r->machine, &(uint32_t){0});
    x.steps = r->steps.steps.data, x.ends = r->ends.data, x.depth++, x.loops = r->loops.hash;
    if (__builtin_expect(deadline_passed, 0)) return stop(r);
    going = status == MACHINE_RUNNING && !recurs && x.depth != r->step_limit && !(r->loops.bound && tset_empty(x.enabled));
  }
  run_finish(r);
  return true;
}

const struct finding *run_finding(const struct run *r, struct finding *own) {
  if (r->end != EXECUTION_FAILED || (r->parked.count && machine_status(r->machine) != MACHINE_FAILED)) return NULL;
  if (!r->livelock.found) return machine_finding(r->machine);
  own->kind = FINDING_LIVELOCK;
  own->confirmed = true;
  text_puts(&own->message, "the same state recurs whichever threads go on, and no schedule ends it");
  uint32_t from = r->livelock.from;
  livelock_sites(r->machine, from ? r->ends.data[from - 1] : 0, own);
  return own;
}

uint32_t schedule_switches(const struct machine *m, const struct step *steps, size_t n) {
  uint32_t switches = 0;
  for (size_t i = 1; i < n; i++) switches += machine_owner(m, steps[i].thread) != machine_owner(m, steps[i - 1].thread);
  return switches;
}
