#include "reproduce/generate.h"

#include <math.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/deadline.h"
#include "reproduce/attempt.h"
#include "search/answer.h"
#include "search/pool.h"

/* States that a worker remembers, at most; those beyond may be gone on from again. */
#define STATES_MOST ((size_t)4 << 20)

/* A way to go on. */
enum { GO_ON, FLUSH, SWITCH };
struct option {
  uint8_t what;
  uint32_t who; /* the store, or the thread */
};

/* Where an order can be gone on with in several ways. */
struct fork {
  struct attempt_mark mark;
  uint32_t current, left; /* the thread that goes on; preemptions */
  bool may_switch;        /* it has done something since it was its turn */
  size_t first, next;     /* of the options */
};

struct search {
  struct attempt attempt;
  uint32_t bound, place, places;
  uint64_t steps; /* at most; 0: without limit */
  VEC(struct fork) forks;
  VEC(struct option) options;
  attempt_stores stores;
  struct hashmap known; /* state -> preemptions that were left, + 1 */
  struct generate_counts counts;
  bool cut; /* something was not tried, as it would have been one preemption too many */
};

/* --- one worker --- */

/* Would the thread have been able to go on? Behind the end of its log nobody knows. */
static bool can_go_on(const struct search *s, uint32_t thread) { return thread != NONE && attempt_ready(&s->attempt, thread); }

static void add_option(struct search *s, uint8_t what, uint32_t who) { *vec_push(&s->options) = (struct option){what, who}; }

static void add_options(struct search *s, const struct fork *f) {
  const struct moves *m = s->attempt.m;
  if (can_go_on(s, f->current)) add_option(s, GO_ON, f->current);
  vec_clear(&s->stores);
  if (f->current != NONE) attempt_offers(&s->attempt, f->current, &s->stores);
  for (size_t i = 0; i < s->stores.count; i++) add_option(s, FLUSH, s->stores.data[i]);
  if (!f->may_switch) return;
  for (uint32_t t = 0; t < m->nthreads; t++)
    if (t != f->current && attempt_ready(&s->attempt, t)) add_option(s, SWITCH, t);
}

/* The state, and whose turn it is. False: it was gone on from already. */
static bool is_new(struct search *s, const struct fork *f) {
  struct fingerprint state = s->attempt.state;
  fingerprint_xor(&state, fingerprint_of(f->current, f->may_switch));
  uint64_t key = state.lo ^ hash_mix(state.hi);
  uint64_t *left = s->known.count < STATES_MOST ? hashmap_at(&s->known, key, 0, NULL) : hashmap_find(&s->known, key);
  if (left && *left > f->left) return false;
  if (left) *left = f->left + 1;
  return true;
}

static void push(struct search *s, struct fork f) {
  f.mark = attempt_mark(&s->attempt);
  f.first = f.next = s->options.count;
  if (is_new(s, &f)) add_options(s, &f);
  if (f.first == s->options.count) s->counts.schedules++;
  *vec_push(&s->forks) = f;
}

/* The ways to make the first preemption are shared out; all else each does. */
static bool is_ours(const struct search *s, const struct fork *f, uint32_t to) {
  if (f->left < s->bound) return true;
  return hash_pair(s->attempt.state.lo, to) % s->places == s->place;
}

/* False: it is not to be tried, or it has failed. */
static bool try(struct search *s, struct fork *f, struct option o) {
  switch (o.what) {
    case GO_ON:
      f->may_switch = true;
      s->counts.steps++;
      if (attempt_move(&s->attempt, o.who)) return true;
      s->counts.schedules++;
      return false;
    case FLUSH:
      s->counts.steps++;
      attempt_flush(&s->attempt, o.who);
      return true;
    default:
      if (can_go_on(s, f->current)) {
        if (f->left == 0) s->cut = true;
        if (f->left == 0 || !is_ours(s, f, o.who)) return false;
        f->left--;
      }
      f->current = o.who;
      f->may_switch = false;
      return true;
  }
}

/* All is done that the run had done: is it the failing thread's turn, or can it be? */
static bool is_complete(struct search *s, const struct fork *f) {
  if (s->attempt.left) return false;
  bool switches = f->current != s->attempt.m->a->failing && can_go_on(s, f->current);
  if (switches && f->left == 0) s->cut = true;
  return !switches || f->left > 0;
}

static bool run(struct search *s) {
  push(s, (struct fork){.current = NONE, .left = s->bound, .may_switch = true});
  for (uint64_t n = 0; s->forks.count; n++) {
    if ((n % 1024 == 0 && deadline_passed) || (s->steps && s->counts.steps >= s->steps)) break;
    struct fork *top = &vec_last(&s->forks);
    attempt_back(&s->attempt, top->mark);
    if (top->next == s->options.count) {
      s->options.count = top->first;
      s->forks.count--;
      continue;
    }
    struct fork f = *top;
    if (!try(s, &f, s->options.data[top->next++])) continue;
    if (is_complete(s, &f)) {
      s->counts.schedules++, s->counts.good++;
      return true;
    }
    push(s, f);
  }
  return false;
}

/* --- the workers of one bound --- */

enum { WORKER_FAILED, WORKER_DONE, WORKER_FOUND };

struct said {
  struct generate_counts counts;
  uint32_t what;
  bool cut;
};

struct level {
  const struct moves *m;
  bool glued; /* hidden moves are made with the one before them */
  uint32_t bound;
  uint64_t most; /* steps; 0: without limit */
  struct pool pool;
  struct generate_counts *counts;
  bool found, cut, failed;
  VEC(uint32_t) steps;
  struct value_model values;
};

static void work(void *user, uint32_t place, int in, int out) {
  struct level *l = user;
  struct search s = {.bound = l->bound, .place = place, .places = l->pool.places, .steps = l->most};
  struct text said = {0};
  (void)in;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  deadline_inherit(0);
  attempt_begin(&s.attempt, l->m, l->glued);
  bool found = run(&s);
  struct said is = {s.counts, found ? WORKER_FOUND : s.forks.count ? WORKER_FAILED : WORKER_DONE, s.cut};
  WIRE_PUT(&said, is);
  if (found) {
    WIRE_PUT_VEC(&said, &s.attempt.steps);
    WIRE_PUT_VEC(&said, &s.attempt.values.values);
  }
  answer_send(out, &said);
  _exit(0);
}

/* The first that has found an order ends the work of all. */
static bool gone(void *user, uint32_t place, enum pool_end end) {
  struct level *l = user;
  const struct text *text = &l->pool.workers[place].said;
  struct wire wire = {text->data, text->data + text->count, false};
  struct said said;
  if (end == POOL_KILLED) {
    l->failed = true;
    return true;
  }
  WIRE_GET(&wire, said);
  if (wire.bad || said.what == WORKER_FAILED) l->failed = true;
  if (wire.bad) return true;
  l->counts->schedules += said.counts.schedules, l->counts->good += said.counts.good, l->counts->steps += said.counts.steps;
  l->cut |= said.cut;
  if (said.what != WORKER_FOUND || l->found) return true;
  WIRE_GET_VEC(&wire, &l->steps);
  WIRE_GET_VEC(&wire, &l->values.values);
  l->found = !wire.bad;
  return !l->found;
}

/* All orders with so many preemptions at most. */
static enum err search_level(struct level *l, uint32_t workers, struct diag *d) {
  static const struct pool_type type = {.work = work, .gone = gone};
  enum err e = ERR_NONE;
  pool_init(&l->pool, &type, workers, l);
  for (uint32_t i = 0; i < workers && !e; i++) e = pool_hire(&l->pool, i, d);
  while (!e && !l->found && l->pool.count) {
    (void)pool_listen(&l->pool, 1000);
    pool_stop(&l->pool, deadline_passed, deadline_now());
  }
  pool_kill_all(&l->pool);
  pool_release(&l->pool);
  return e;
}

/* --- all of it --- */

static void write_plan(const struct moves *m, const struct level *l, struct plan *plan) {
  uint32_t at[THREADS_MAX] = {0};
  plan->failing = m->a->failing;
  for (size_t i = 0; i < l->steps.count; i++) {
    uint32_t step = l->steps.data[i];
    bool flush = step & ATTEMPT_FLUSH;
    uint32_t move = flush ? step & ~ATTEMPT_FLUSH : m->threads[step].from + at[step]++;
    struct apart_event e = m->a->events.data[m->all.data[move].event];
    if (e.address.id != NO_EXPR.id) e.object = (uint64_t)expr_eval(m->pool, e.address, &l->values);
    plan_add(plan, &e, flush);
  }
}

/* How many orders of all steps keep each thread's own. */
static double count_orders(const struct moves *m) {
  double all = lgamma((double)m->all.count + 1);
  for (uint32_t t = 0; t < m->nthreads; t++) all -= lgamma((double)m->threads[t].count + 1);
  return all / log(10);
}

static void take_solution(const struct moves *m, struct level *l, struct solution *solution) {
  write_plan(m, l, &solution->plan);
  solution->values = l->values;
  l->values = (struct value_model){0};
  solution->fits = true;
  for (size_t i = 0; i < m->a->conditions.count && solution->fits; i++)
    solution->fits = expr_eval(m->pool, m->a->conditions.data[i], &solution->values);
  for (size_t i = 0; i < m->a->events.count && !solution->moved; i++) {
    const struct apart_event *e = &m->a->events.data[i];
    solution->moved = e->address.id != NO_EXPR.id && (uint64_t)expr_eval(m->pool, e->address, &solution->values) != e->object;
  }
}

static enum err search_levels(const struct moves *m, bool glued, uint32_t workers, uint64_t steps, struct solution *solution,
                              struct generate_counts *counts, struct diag *d) {
  enum err e = ERR_NONE;
  bool found = false;
  for (uint32_t bound = 0; !e && !found; bound++) {
    struct level l = {.m = m,
                      .glued = glued,
                      .bound = bound,
                      .counts = counts,
                      .most = steps > counts->steps ? steps - counts->steps
                              : steps               ? 1
                                                    : 0};
    counts->preemptions = bound;
    e = search_level(&l, bound ? workers : 1, d);
    found = !e && l.found;
    if (found)
      take_solution(m, &l, solution);
    else if (!e && l.failed)
      e = diag_set(d, ERR_UNSUPPORTED, "no order with fewer than %u preemptions fits the log; there was no more time", bound);
    else if (!e && !l.cut)
      e = diag_set(d, ERR_UNSUPPORTED,
                   "no order of the threads' steps fits the log under this memory model, with what was assumed of addresses and calls");
    vec_release(&l.steps);
    value_model_release(&l.values);
  }
  return e;
}

/* As asked, hidden moves made with others at first; and if there is no order of that kind, one that may lead to it. */
enum err generate_solve(const struct apart *a, enum machine_memory memory, uint32_t workers, uint64_t steps, struct solution *solution,
                        struct generate_counts *counts, struct diag *d) {
  enum err e = ERR_UNSUPPORTED;
  *counts = (struct generate_counts){0};
  for (unsigned way = 0; way < 4 && e == ERR_UNSUPPORTED && !deadline_passed; way++) {
    struct moves m;
    bool any_address = way >= 2, glued = way % 2 == 0;
    solution_release(solution);
    e = moves_make(&m, a, memory, any_address, d);
    counts->worst = count_orders(&m);
    if (!e && (glued || m.hidden))
      e = search_levels(&m, glued, workers ? workers : 1, steps, solution, counts, d);
    else if (!e)
      e = ERR_UNSUPPORTED;
    moves_release(&m);
  }
  return e;
}
