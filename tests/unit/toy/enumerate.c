#include "enumerate.h"

#include <stdlib.h>

#include "execution/run.h"
#include "happens/history.h"
#include "search/frontier.h"

#define STEPS_MAX 512 /* of programs small enough to enumerate: longer executions go on for ever */

/* Is the event's value its own? Posts commute, but not their counts; arrivals do, but one of them completes the round. A flush is named
 * after its store, which has the value; the store of a local is dropped once its function has returned, whichever of the two comes first.
 */
static bool value_counts(const struct event *e) { return e->op != EVENT_SEM_POST && e->op != EVENT_FLUSH; }

/* The Mazurkiewicz trace of a finished execution as a hash: its steps with what they did, and the order of each dependent pair. Pair by
 * pair, straight from the definition. */
static uint64_t trace_hash(const struct run *r) {
  static uint64_t id[STEPS_MAX];
  struct execution x = run_view(r);
  uint32_t position[THREADS_MAX] = {0};
  uint64_t sum = hash_pair(r->end, x.depth);
  for (uint32_t i = 0; i < x.depth; i++) {
    uint32_t from = i ? x.ends[i - 1] : 0, t = x.steps[i].thread;
    uint64_t h = hash_pair(hash_pair(t, position[t]++), x.steps[i].choice);
    for (uint32_t k = from; k < x.ends[i]; k++) {
      const struct event *e = &x.trace[k];
      h = hash_pair(hash_pair(hash_pair(h, e->op), e->flags), hash_pair(e->object, e->size));
      h = hash_pair(h, hash_pair(value_counts(e) ? e->value : 0, e->op == EVENT_SEM_POST || e->op == EVENT_BARRIER_ENTER ? 0 : e->value2));
    }
    id[i] = h;
    sum += hash_mix(h);
    for (uint32_t j = 0; j < i; j++) {
      uint32_t start = j ? x.ends[j - 1] : 0;
      bool last = r->cut && i + 1 == x.depth;
      bool dependent =
          last || t == x.steps[j].thread || history_dependent(x.trace + start, x.ends[j] - start, x.trace + from, x.ends[i] - from);
      if (dependent) sum += hash_pair(id[j], h);
    }
  }
  return sum;
}

/* Takes a step and counts whether it preempts. */
static bool take(struct run *r, struct step step, uint32_t *preemptions) {
  if (!run_going(r) || !run_possible(r, step)) return false;
  if (r->steps.steps.count > 0) {
    uint32_t before = r->steps.steps.data[r->steps.steps.count - 1].thread;
    *preemptions += before != step.thread && tset_has(run_view(r).enabled, before);
  }
  run_step(r, step);
  return true;
}

/* run_with(), counting preemptions. */
static bool execute(struct run *r, const struct strategy_type *type, struct strategy *s, const struct schedule *prefix,
                    uint32_t *preemptions) {
  *preemptions = 0;
  run_begin(r);
  for (size_t i = 0; i < prefix->steps.count; i++) {
    if (!take(r, prefix->steps.data[i], preemptions)) return false;
  }
  for (struct execution x = run_view(r); run_going(r) && !tset_empty(x.enabled); x = run_view(r)) {
    struct step step;
    r->given_up = type->pick(s, &x, &step) == PICK_GIVE_UP;
    if (r->given_up) break;
    if (!take(r, step, preemptions)) return false;
  }
  run_finish(r);
  return true;
}

/* What a thread set out to do; a failed compare-exchange is still one, and so on. */
static uint64_t intention(const struct event *e) {
  uint8_t op = e->op == EVENT_READ ? EVENT_RMW : e->op == EVENT_TRYFAIL || e->op == EVENT_SEM_WAIT ? EVENT_ACQUIRE : e->op;
  return hash_pair(hash_pair(op, e->site), e->op == EVENT_AWAIT || e->op == EVENT_FREE ? 0 : e->object);
}

static void watch_threads(struct enumeration *x, const struct run *r) {
  uint64_t history[THREADS_MAX] = {0};
  struct execution v = run_view(r);
  /* A step that fails is cut short where it fails, by a value that nobody wrote, for example: no value of an event tells that. */
  uint32_t steps = r->end == EXECUTION_FAILED && v.depth ? v.depth - 1 : v.depth, n = steps ? v.ends[steps - 1] : 0;
  for (uint32_t i = 0; i < n; i++) {
    const struct event *e = &v.trace[i];
    uint64_t *h = &history[e->thread], next = intention(e);
    if (e->op == EVENT_END || e->op == EVENT_FLUSH) continue; /* no step; what there is to flush is its thread's doing */
    /* An alternative, as a wait that is cancelled, is the schedule's doing. */
    if (!e->choice && *hashmap_at(&x->next, hash_pair(e->thread, *h), next, NULL) != next) x->erratic++;
    bool told = e->op != EVENT_SEM_POST && e->op != EVENT_SEM_WAIT && e->op != EVENT_BARRIER_ENTER && e->op != EVENT_BARRIER_LEAVE;
    *h = hash_pair(hash_pair(*h, next), hash_pair(e->op, told ? hash_pair(e->value, e->flags) : 0));
    if (e->op == EVENT_FORK) history[e->object] = *h; /* its argument is what its maker knows */
  }
}

void enumeration_release(struct enumeration *x) {
  hashmap_release(&x->traces);
  hashmap_release(&x->next);
}

static void start_again(const struct strategy_type *type, struct strategy *s, struct enumeration *x) {
  type->restart(s);
  hashmap_clear(&x->traces);
  hashmap_clear(&x->next);
  x->erratic = 0;
  x->complete = x->blocked = x->within = 0;
}

static bool has_section(const struct run *r) {
  uint32_t n;
  const struct event *trace = machine_trace(r->machine, &n);
  for (uint32_t i = 0; i < n; i++) {
    if (trace[i].op == EVENT_ATOMIC) return true;
  }
  return false;
}

static bool is_cut_deadlock(const struct run *r) {
  if (r->given_up || r->end != EXECUTION_FAILED || !r->cut) return false;
  enum finding_kind kind = machine_finding(r->machine)->kind;
  return kind == FINDING_DEADLOCK || kind == FINDING_LOST_WAKEUP;
}

/* One execution; what it was is added to `x`. */
static bool one(struct run *r, const struct strategy_type *type, struct strategy *s, const struct schedule *prefix, struct enumeration *x,
                bool *again) {
  uint32_t preemptions;
  *again = false;
  bool possible = execute(r, type, s, prefix, &preemptions) && machine_status(r->machine) != MACHINE_UNSUPPORTED;
  if (!possible || (x->stopped = (r->end == EXECUTION_LIMIT && r->too_long) || r->end == EXECUTION_CIRCLE)) return possible;
  struct execution view = run_view(r);
  type->done(s, &view, r->end, r->cut, r->given_up);
  *again = machine_sharing_changed(r->machine) || (type->again && type->again(s));
  if (*again) {
    start_again(type, s, x);
    return true;
  }
  if (x->watch) watch_threads(x, r);
  x->blocked += r->given_up;
  x->sections |= has_section(r);
  x->cut_deadlock |= is_cut_deadlock(r);
  x->complete += !r->given_up;
  x->stopped = x->complete + x->blocked > x->limit;
  if (r->given_up || preemptions > x->most_preemptions) return true;
  x->within++;
  uint64_t hash = trace_hash(r);
  ++*hashmap_at(&x->traces, hash, 0, NULL);
  if (x->each) x->each(r, hash, x->data);
  return true;
}

bool enumerate(struct machine *m, const struct strategy_type *type, uint32_t bound, uint64_t limit, struct enumeration *x) {
  struct strategy_options options = {.bound = bound, .order = x->order, .seed = x->seed};
  struct strategy *s = type->create(&options);
  bool possible = true, again;
  struct run r;
  run_init(&r, m);
  r.step_limit = STEPS_MAX;
  r.loops.bound = x->loop_bound;
  x->limit = limit;
  for (const struct schedule *prefix; possible && !x->stopped && (prefix = type->next(s));) possible = one(&r, type, s, prefix, x, &again);
  x->bounded = type->bounded(s);
  type->destroy(s);
  run_release(&r);
  return possible;
}

/* --- in parts --- */

#define HELD 3 /* jobs whose results are kept back, as if other workers had them */

struct parts {
  struct run run;
  struct strategy *s;
  struct frontier frontier;
  struct enumeration *x;
  uint64_t random;
  uint32_t held[HELD];
  struct text results[HELD];
  unsigned count;
};

static uint32_t below(struct parts *p, uint32_t n) { return (uint32_t)(hash_mix(p->random++) % n); }

static bool try_step(void *data, const struct schedule *path, struct step step, struct frontier_step *out) {
  struct parts *p = data;
  return frontier_run_step(&p->run, &p->s->sections, path, step, out) && !p->s->sections.grown && !machine_sharing_changed(p->run.machine);
}

static bool again_from_the_start(struct parts *p) {
  frontier_clear(&p->frontier);
  p->count = 0;
  start_again(&strategy_dpor, p->s, p->x);
  return true;
}

/* A few executions of the strategy's work. False if the program does not repeat itself. */
static bool some(struct parts *p, uint32_t most, const struct schedule **prefix, bool *again) {
  *again = false;
  *prefix = strategy_dpor.next(p->s);
  for (uint32_t i = 0; i < most && *prefix && !p->x->stopped && !*again; i++) {
    if (!one(&p->run, &strategy_dpor, p->s, *prefix, p->x, again)) return false;
    *prefix = strategy_dpor.next(p->s);
  }
  return true;
}

static bool begin_parts(struct parts *p) {
  const struct schedule *prefix;
  bool again = true, ok = true;
  while (ok && again) ok = some(p, 1, &prefix, &again);
  if (ok && prefix && !p->x->stopped) frontier_begin(&p->frontier, p->s);
  return ok;
}

/* The result of a job that is held back arrives. False if the exploration has to start again. */
static bool arrive(struct parts *p) {
  unsigned i = below(p, p->count);
  uint32_t job = p->held[i];
  struct text result = p->results[i];
  p->count--;
  p->held[i] = p->held[p->count], p->results[i] = p->results[p->count];
  p->results[p->count] = result;
  struct wire w = {result.data, result.data + result.count, false};
  struct frontier_try try = {try_step, p};
  if (!frontier_put(&p->frontier, job, &w, &try)) return false;
  bool splits = p->frontier.jobs.data[job].status == JOB_WAITING && below(p, 2);
  return !splits || frontier_split(&p->frontier, job, &try);
}

/* Writes the frontier down and reads it again. */
static void through_a_file(struct parts *p) {
  struct text bytes = {0};
  frontier_write(&p->frontier, &bytes);
  frontier_clear(&p->frontier);
  struct wire w = {bytes.data, bytes.data + bytes.count, false};
  if (!frontier_read(&p->frontier, &w)) abort();
  text_release(&bytes);
}

/* Takes a job and explores a part of it. */
static bool work(struct parts *p, bool *again) {
  const struct schedule *prefix;
  uint32_t job = frontier_take(&p->frontier);
  strategy_dpor.restart(p->s);
  frontier_load(&p->frontier, job, p->s);
  if (below(p, 8) == 0) { /* the worker is killed */
    frontier_return(&p->frontier, job);
    return true;
  }
  if (!some(p, below(p, 4), &prefix, again)) return false;
  if (*again) return true;
  p->held[p->count] = job;
  text_clear(&p->results[p->count]);
  frontier_save(p->s, prefix, &p->results[p->count++]);
  return true;
}

bool enumerate_parts(struct machine *m, uint64_t seed, uint64_t limit, struct enumeration *x) {
  struct strategy_options options = {.bound = UINT32_MAX};
  struct parts p = {.s = strategy_dpor.create(&options), .x = x, .random = seed << 32};
  run_init(&p.run, m);
  p.run.step_limit = STEPS_MAX;
  x->limit = limit;
  bool ok = begin_parts(&p);
  while (ok && !x->stopped && p.frontier.waiting + p.frontier.taken) {
    bool again = false;
    if (p.count == 0 && below(&p, 4) == 0) through_a_file(&p);
    if (p.frontier.waiting && p.count < HELD && (p.count == 0 || below(&p, 2)))
      ok = work(&p, &again);
    else
      again = !arrive(&p);
    if (ok && again) ok = again_from_the_start(&p) && begin_parts(&p);
  }
  strategy_dpor.destroy(p.s);
  run_release(&p.run);
  frontier_release(&p.frontier);
  for (unsigned i = 0; i < HELD; i++) text_release(&p.results[i]);
  return ok;
}

struct difference enumeration_compare(const struct enumeration *all, const struct enumeration *found) {
  struct difference d = {0};
  for (size_t i = 0; i < all->traces.cap; i++) {
    if (all->traces.used[i] && !hashmap_find(&found->traces, all->traces.keys[i])) d.missing++;
  }
  for (size_t i = 0; i < found->traces.cap; i++) {
    if (!found->traces.used[i]) continue;
    if (!hashmap_find(&all->traces, found->traces.keys[i])) d.unknown++;
    if (found->traces.values[i] > 1) d.repeated++;
  }
  return d;
}
