#include "predict/witness_run.h"

#include "predict/predict.h"
#include "strategy/mcr/trace.h"

/* Steps behind a witness, besides as many as the original had. */
#define STEPS_BEHIND 2000u
/* Steps between two looks at the clock. */
#define STEPS_AT_ONCE 4096u

struct follower {
  const struct predict_client *client;
  struct run *run;
  bool over;
  uint32_t since;              /* steps since the last look */
  size_t most;                 /* steps */
  uint32_t taken[THREADS_MAX]; /* steps, by thread */
};

static bool is_going(const struct follower *f) {
  return run_going(f->run) && !tset_empty(run_view(f->run).enabled) && f->run->steps.steps.count < f->most && !f->over;
}

static void look_at_limits(struct follower *f, size_t steps) {
  f->since += (uint32_t)steps;
  if (f->since < STEPS_AT_ONCE) return;
  f->since = 0;
  f->over |= f->client->is_over(f->client->data);
}

static void take(struct follower *f, struct step step) {
  f->taken[step.thread]++;
  run_step(f->run, step);
  look_at_limits(f, 1);
}

static bool ends_process(const struct execution *x, uint32_t thread) {
  const struct event *e = execution_pending(x, thread);
  return e->op == EVENT_YIELD && (e->flags & EVENT_EXIT);
}

/* The stores of the thread that took the last step; then that thread; then another one. */
static uint32_t thread_to_run(const struct execution *x) {
  uint32_t t = execution_owner(x, x->depth ? x->steps[x->depth - 1].thread : 0), agent = execution_oldest_flush(x, t);
  if (agent < THREADS_MAX) return agent;
  if (!tset_has(x->enabled, t)) t = tset_next(x->enabled, 0);
  for (uint32_t other = tset_next(x->enabled, 0); ends_process(x, t) && other < THREADS_MAX; other = tset_next(x->enabled, other + 1))
    if (!ends_process(x, other)) t = other;
  return t;
}

static void go_on(struct follower *f) {
  struct execution x = run_view(f->run);
  take(f, (struct step){.thread = thread_to_run(&x)});
}

/* The thread's stores become visible. */
static void flush_stores(struct follower *f, uint32_t thread) {
  for (;;) {
    struct execution x = run_view(f->run);
    uint32_t agent = execution_oldest_flush(&x, thread);
    if (agent == THREADS_MAX || !is_going(f)) return;
    take(f, (struct step){.thread = agent});
  }
}

static void flush(struct follower *f) {
  struct execution x = run_view(f->run);
  if (x.depth) flush_stores(f, execution_owner(&x, x.steps[x.depth - 1].thread));
}

/* Takes a step of the original execution, as soon as the thread can go on. */
static void take_original(struct follower *f, struct step step) {
  flush(f);
  while (is_going(f) && !tset_has(machine_enabled(f->run->machine), step.thread)) go_on(f);
  if (!is_going(f)) return;
  if (step.choice >= machine_alternatives(f->run->machine, step.thread)) step.choice = 0;
  take(f, step);
}

static void go_on_in_order(struct follower *f, const struct schedule *original) {
  uint32_t seen[THREADS_MAX] = {0};
  bool agents = machine_options(f->run->machine)->memory != MEMORY_SC;
  for (size_t i = 0; i < original->steps.count && is_going(f); i++) {
    struct step step = original->steps.data[i];
    if (agents && step.thread >= AGENTS_FROM) continue;
    if (seen[step.thread]++ >= f->taken[step.thread]) take_original(f, step);
  }
}

/* To the state that the witness begins in. */
static bool go_to_begin(struct follower *f, struct witness *w) {
  struct run *r = f->run;
  const struct step *steps = w->original->steps.data;
  run_return(r, steps, w->fixed);
  w->made = r->steps.steps.count;
  while (r->steps.steps.count < w->fixed && !f->over) {
    size_t from = r->steps.steps.count, n = w->fixed - from < STEPS_AT_ONCE ? w->fixed - from : STEPS_AT_ONCE;
    if (!run_follow(r, steps + from, n)) return false;
    look_at_limits(f, n);
  }
  bool kept = w->fixed == 0 || (r->marks.count && vec_last(&r->marks).depth == w->fixed);
  if (!kept && !f->over && run_going(r)) run_keep(r);
  for (uint32_t i = 0; i < w->fixed; i++) f->taken[steps[i].thread]++;
  return !f->over;
}

/* Of the two accesses that race one may have to wait for its own thread's stores. And a store that is in the buffer has to leave it while
 * the other access is its thread's last one: behind that there may be others, with which the race would be another one (race.h). */
static bool take_racing(struct follower *f, const struct step *accesses) {
  for (unsigned i = 0; i < 2; i++) {
    struct step step = accesses[i];
    struct execution x = run_view(f->run);
    if (step.thread < THREADS_MAX && !tset_has(x.enabled, step.thread)) flush_stores(f, step.thread);
    if (!is_going(f) || !mcr_trace_resolve(&x, &step)) return false;
    take(f, step);
  }
  for (unsigned i = 0; i < 2; i++) flush_stores(f, accesses[i].thread);
  return true;
}

static bool follow_witness(struct follower *f, struct witness *w) {
  const struct step *steps = w->steps->steps.data;
  size_t n = w->steps->steps.count, racing = w->behind == WITNESS_OF_RACE && n >= 2 ? 2 : 0;
  if (!go_to_begin(f, w)) return false;
  for (size_t i = 0; i < n - racing; i++) {
    struct step step = steps[i];
    struct execution x = run_view(f->run);
    if (!run_going(f->run) || !mcr_trace_resolve(&x, &step)) return false;
    take(f, step);
  }
  return racing ? take_racing(f, steps + n - racing) : true;
}

bool witness_run(struct run *r, const struct predict_client *client, struct witness *w) {
  struct follower f = {.client = client, .run = r, .most = SIZE_MAX};
  bool followed = follow_witness(&f, w);
  f.most = r->steps.steps.count + STEPS_BEHIND + (w->to_the_end ? w->original->steps.count : 0);
  if (w->behind == WITNESS_BY_ORDER) go_on_in_order(&f, w->original);
  while (is_going(&f)) go_on(&f);
  run_finish(r);
  w->made = r->steps.steps.count - w->made;
  w->over = f.over;
  return followed && !f.over;
}
