/* The execution that a plan describes (planned.h), and no other. */
#include "strategy/planned.h"

#include "base/hash.h"
#include "strategy/strategy.h"

struct strategy {
  const struct plan *plan;
  bool made;
  size_t at;
  struct tset woken;      /* by a signal, and not gone on yet */
  struct hashmap planned; /* accesses of the plan, by access_key() -> 1 */
  struct schedule empty;
};

static struct strategy *planned_create(const struct strategy_options *options) {
  struct strategy *s = mem_alloc(sizeof *s);
  *s = (struct strategy){.plan = options->plan};
  return s;
}

static void planned_destroy(struct strategy *s) {
  hashmap_release(&s->planned);
  mem_free(s, sizeof *s);
}
static void planned_restart(struct strategy *s) { s->made = false; }

static uint64_t access_key(uint32_t thread, uint64_t object, uint64_t size) { return hash_pair(hash_pair(thread, object), size); }

static const struct schedule *planned_next(struct strategy *s) {
  if (s->made || !s->plan) return NULL;
  s->made = true;
  s->at = 0;
  s->woken = (struct tset){0};
  hashmap_clear(&s->planned);
  for (size_t i = 0; i < s->plan->steps.count; i++) {
    const struct plan_step *p = &s->plan->steps.data[i];
    if (p->op == EVENT_READ) hashmap_at(&s->planned, access_key(p->thread, p->object, p->size), 1, NULL);
  }
  return &s->empty;
}

static bool is_access(uint8_t op) { return op == EVENT_READ || op == EVENT_WRITE || op == EVENT_RMW; }

static bool is_planned(const struct plan_step *p, const struct event *e) {
  bool access = p->op == EVENT_READ || (p->op == EVENT_FENCE && p->object);
  if (access ? !is_access(e->op) : e->op != p->op) return false;
  if (e->op == EVENT_FORK) return true; /* it has no object before it is done */
  return e->object == p->object && (p->op != EVENT_READ || e->size == p->size);
}

/* The agent that flushes the thread's store which is next. */
static uint32_t agent_of(const struct execution *x, const struct plan_step *p) {
  for (uint32_t t = tset_next(x->enabled, AGENTS_FROM); t < THREADS_MAX; t = tset_next(x->enabled, t + 1))
    if (execution_owner(x, t) == p->thread && execution_pending(x, t)->object == p->object) return t;
  return THREADS_MAX;
}

/* An agent whose next store is to memory that no other thread uses, and so is not in the plan: it is out of the others' way at once. */
static uint32_t private_agent(const struct strategy *s, const struct execution *x) {
  uint32_t t = tset_next(x->enabled, AGENTS_FROM);
  for (; t < THREADS_MAX; t = tset_next(x->enabled, t + 1)) {
    const struct event *e = execution_pending(x, t);
    if (!hashmap_find(&s->planned, access_key(execution_owner(x, t), e->object, e->size))) break;
  }
  return t;
}

static enum pick take(const struct execution *x, uint32_t thread, struct step *step) {
  if (thread >= THREADS_MAX || !tset_has(x->enabled, thread)) return PICK_GIVE_UP;
  *step = (struct step){.thread = thread};
  return PICK_STEP;
}

/* A thread's end is a step of its own only if it has stored before. */
static const struct plan_step *next_step(struct strategy *s, const struct execution *x) {
  const struct plan *p = s->plan;
  while (s->at < p->steps.count && p->steps.data[s->at].op == EVENT_END && !tset_has(x->alive, p->steps.data[s->at].thread)) s->at++;
  return s->at < p->steps.count ? &p->steps.data[s->at] : NULL;
}

/* When `thread` goes on behind its wait: the place in the plan; its end if it need not. */
static size_t leaves_at(const struct strategy *s, uint32_t thread) {
  const struct plan *p = s->plan;
  size_t i = s->at;
  while (i < p->steps.count && (p->steps.data[i].thread != thread || p->steps.data[i].op != EVENT_WAIT_LEAVE)) i++;
  return i;
}

static bool awaits(const struct strategy *s, const struct execution *x, uint32_t thread, uint64_t cond) {
  const struct event *e = execution_pending(x, thread);
  return e->op == EVENT_WAIT_LEAVE && e->object == cond && !tset_has(&s->woken, thread);
}

/* A signal wakes the one that goes on first of those that still wait for one, which are counted by their numbers. If signals can be given
 * to waits at all so that each thread goes on when the plan says, then so. */
static uint32_t wake(struct strategy *s, const struct execution *x, uint64_t cond) {
  uint32_t choice = 0, waiting = 0, who = THREADS_MAX;
  size_t first = SIZE_MAX;
  for (uint32_t t = tset_next(x->alive, 0); t < AGENTS_FROM; t = tset_next(x->alive, t + 1)) {
    if (!awaits(s, x, t, cond)) continue;
    size_t at = leaves_at(s, t);
    if (at < first) first = at, choice = waiting, who = t;
    waiting++;
  }
  if (who != THREADS_MAX) tset_add(&s->woken, who);
  return choice;
}

/* What the thread's step does to those that wait. */
static void note(struct strategy *s, const struct execution *x, struct step *step) {
  const struct event *e = execution_pending(x, step->thread);
  if (e->op == EVENT_WAIT_LEAVE) tset_remove(&s->woken, step->thread);
  if (e->op == EVENT_SIGNAL) step->choice = wake(s, x, e->object);
  for (uint32_t t = tset_next(x->alive, 0); e->op == EVENT_BROADCAST && t < AGENTS_FROM; t = tset_next(x->alive, t + 1))
    if (awaits(s, x, t, e->object)) tset_add(&s->woken, t);
  if (step->choice >= execution_alternatives(x, step->thread)) step->choice = 0;
}

static enum pick planned_pick(struct strategy *s, const struct execution *x, struct step *step) {
  uint32_t agent = private_agent(s, x);
  if (agent < THREADS_MAX) return take(x, agent, step);
  const struct plan_step *p = next_step(s, x);
  if (!p) {
    bool ready = tset_has(x->enabled, s->plan->failing);
    return take(x, ready ? s->plan->failing : tset_next(x->enabled, 0), step);
  }
  if (p->op == EVENT_FLUSH) {
    s->at++;
    return take(x, agent_of(x, p), step);
  }
  if (!tset_has(x->alive, p->thread)) return PICK_GIVE_UP;
  if (is_planned(p, execution_pending(x, p->thread))) s->at++;
  if (take(x, p->thread, step) == PICK_GIVE_UP) return PICK_GIVE_UP;
  note(s, x, step);
  return PICK_STEP;
}

static void planned_done(struct strategy *s, const struct execution *x, enum execution_end end, bool cut, bool given_up) {
  (void)s, (void)x, (void)end, (void)cut, (void)given_up;
}

static bool planned_bounded(const struct strategy *s) { return (void)s, false; }

const struct strategy_type strategy_constraints = {
    .name = "constraints",
    .sees_alone = true, /* as the threads that were executed apart */
    .summary = "one execution, in an order of steps that a solver finds from the log",
    .create = planned_create,
    .destroy = planned_destroy,
    .restart = planned_restart,
    .next = planned_next,
    .pick = planned_pick,
    .done = planned_done,
    .bounded = planned_bounded,
    .given_up = "did not go as planned",
};
