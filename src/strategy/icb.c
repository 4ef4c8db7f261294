/* Iterative context bounding (Musuvathi, Qadeer: "Iterative context bounding for systematic testing of multithreaded programs", PLDI 2007).
 *
 * All executions without a preemption, then all with one, and so on; each exactly once. A preemption is a switch away from a thread that
 * could go on; switching where the running thread is blocked or has ended is free, and so are a step's alternatives.
 *
 * An execution is the default one (stay with the thread; else the lowest; first alternative) but for its deviations, and the deviations
 * form a tree: an execution's children deviate once more, at a later step. A node of it takes 12 bytes, so the frontier of the next
 * bound is kept in memory.
 *
 * If equivalent executions are wanted once (strategy_options.once), an execution is given up where it is one that came before but for the
 * order of independent steps, with the same thread running (Musuvathi, Qadeer: "Partial-order reduction for context-bounded state
 * exploration", MSR-TR-2007-12). The same can follow, with as many preemptions more; and it had no more of them then, as the rounds go
 * upwards. Executions go on from the last one's states then. */
#include "base/hash.h"
#include "happens/history.h"
#include "strategy/strategy.h"

struct deviation {
  uint32_t parent; /* index, or NO_DEVIATION */
  uint32_t depth;
  uint8_t thread, choice;
};
#define NO_DEVIATION UINT32_MAX
#define MOST_NODES   (1u << 28)

struct strategy {
  struct strategy_options options;
  uint32_t bound; /* of the present round */
  bool started, bound_hit;
  VEC(struct deviation) nodes;
  VEC(uint32_t) present, later; /* executions to make in this round, and in the next */
  VEC(uint32_t) path;           /* the present execution's deviations, first one last */
  uint32_t node;                /* its own; NO_DEVIATION: the default execution */
  uint32_t branch_from;         /* depth from which children are made */
  struct schedule prefix;       /* borrows last's array */
  /* Equivalent executions once: */
  struct schedule last;    /* execution */
  VEC(uint32_t) last_path; /* its deviations, first one first */
  struct history history;  /* of its steps, and the present one's */
  VEC(uint64_t) sums;      /* by step: what is the same for all orders of the steps up to it */
  struct hashmap seen;     /* states, by sum and running thread */
};

static struct strategy *icb_create(const struct strategy_options *options) {
  struct strategy *s = mem_alloc(sizeof *s);
  s->options = *options;
  history_init(&s->history);
  return s;
}

static void icb_restart(struct strategy *s) {
  vec_clear(&s->last.steps);
  vec_clear(&s->last_path);
  vec_clear(&s->sums);
  history_clear(&s->history);
  hashmap_clear(&s->seen);
  vec_clear(&s->nodes);
  vec_clear(&s->present);
  vec_clear(&s->later);
  s->bound = 0;
  s->started = s->bound_hit = false;
}

static void icb_destroy(struct strategy *s) {
  vec_release(&s->nodes);
  vec_release(&s->present);
  vec_release(&s->later);
  vec_release(&s->path);
  vec_release(&s->last.steps);
  vec_release(&s->last_path);
  vec_release(&s->sums);
  history_release(&s->history);
  hashmap_release(&s->seen);
  mem_free(s, sizeof *s);
}

static void next_round(struct strategy *s) {
  typeof(s->present) empty = s->present;
  s->present = s->later;
  s->later = empty;
  s->bound++;
}

/* How many of the last execution's steps the one with the deviations in `path` begins with. */
static uint32_t common_steps(const struct strategy *s) {
  uint32_t n = (uint32_t)s->last.steps.count, i = 0;
  while (i < s->last_path.count && i < s->path.count && s->last_path.data[i] == s->path.data[s->path.count - 1 - i]) i++;
  const uint32_t next[2] = {i < s->last_path.count ? s->last_path.data[i] : NO_DEVIATION,
                            i < s->path.count ? s->path.data[s->path.count - 1 - i] : NO_DEVIATION};
  for (unsigned k = 0; k < 2; k++) {
    if (next[k] != NO_DEVIATION && s->nodes.data[next[k]].depth < n) n = s->nodes.data[next[k]].depth;
  }
  return n;
}

/* Begins where the last execution and the one with the deviations in `path` part. */
static void go_back(struct strategy *s) {
  uint32_t common = common_steps(s);
  vec_clear(&s->last_path);
  for (size_t i = s->path.count; i-- > 0;) *vec_push(&s->last_path) = s->path.data[i];
  while (s->path.count > 0 && s->nodes.data[vec_last(&s->path)].depth < common) s->path.count--;
  history_pop(&s->history, common);
  s->sums.count = s->history.steps.count;
  s->prefix = s->last;
  s->prefix.steps.count = common;
}

static const struct schedule *icb_next(struct strategy *s) {
  vec_clear(&s->path);
  s->node = NO_DEVIATION;
  s->branch_from = 0;
  if (s->started) {
    if (s->present.count == 0) next_round(s);
    if (s->present.count == 0) return NULL;
    s->node = vec_pop(&s->present);
    s->branch_from = s->nodes.data[s->node].depth + 1;
  }
  s->started = true;
  for (uint32_t n = s->node; n != NO_DEVIATION; n = s->nodes.data[n].parent) *vec_push(&s->path) = n;
  if (s->options.once) go_back(s);
  return &s->prefix;
}

static void add(struct strategy *s, uint32_t depth, uint32_t thread, uint32_t choice, bool preempts) {
  if ((preempts && s->bound >= s->options.bound) || s->nodes.count == MOST_NODES) {
    s->bound_hit = true;
    return;
  }
  uint32_t node = (uint32_t)s->nodes.count;
  *vec_push(&s->nodes) = (struct deviation){s->node, depth, (uint8_t)thread, (uint8_t)choice};
  *(preempts ? vec_push(&s->later) : vec_push(&s->present)) = node;
}

/* Hash of step i, the last one of the history, that is the same in whatever order the steps that do not depend on each other are. */
static uint64_t step_hash(const struct history *h, uint32_t i, const struct event *first) {
  const struct history_step *e = &h->steps.data[i];
  uint64_t hash = hash_pair(hash_pair(e->thread, e->choice), hash_pair(first->op, hash_pair(first->site, first->object)));
  for (uint32_t t = 0; t < h->width; t++) {
    uint32_t clock = h->clocks.data[(size_t)i * h->width + t];
    if (clock) hash = hash_pair(hash, hash_pair(t, clock));
  }
  return hash;
}

/* Enters the steps that are not known yet. */
static void enter_new_steps(struct strategy *s, const struct execution *x) {
  struct history *h = &s->history;
  for (uint32_t i = (uint32_t)h->steps.count; i < x->depth; i++) {
    uint32_t from = i ? x->ends[i - 1] : 0, count = x->ends[i] - from;
    struct event none = {.op = EVENT_NONE, .thread = (uint16_t)x->steps[i].thread};
    const struct event *events = count ? x->trace + from : &none;
    history_push(h, x->steps[i].thread, x->steps[i].choice, events, count ? count : 1, x->enabled, false);
    uint64_t sum = step_hash(h, i, events) + (i ? s->sums.data[i - 1] : 0);
    *vec_push(&s->sums) = sum;
  }
}

/* Did an equivalent execution come here before, with the same thread running? Enters this one. */
static bool was_here(struct strategy *s, const struct execution *x) {
  bool is_new;
  enter_new_steps(s, x);
  if (x->depth == 0) return false;
  hashmap_at(&s->seen, hash_pair(s->sums.data[x->depth - 1], x->steps[x->depth - 1].thread), 1, &is_new);
  return !is_new;
}

static enum pick icb_pick(struct strategy *s, const struct execution *x, struct step *step) {
  enum pick pick = s->options.once && x->depth % 4 == 0 ? PICK_RETURN : PICK_STEP;
  if (s->path.count > 0 && s->nodes.data[vec_last(&s->path)].depth == x->depth) {
    const struct deviation *d = &s->nodes.data[vec_pop(&s->path)];
    *step = (struct step){d->thread, d->choice};
    return pick;
  }
  uint32_t running = x->depth > 0 ? x->steps[x->depth - 1].thread : 0;
  bool goes_on = tset_has(x->enabled, running);
  uint32_t chosen = goes_on ? running : tset_next(x->enabled, 0);
  *step = (struct step){.thread = chosen};
  if (x->depth < s->branch_from) return pick;
  if (s->options.once && was_here(s, x)) return PICK_GIVE_UP;
  for (uint32_t t = tset_next(x->enabled, 0); t < THREADS_MAX; t = tset_next(x->enabled, t + 1)) {
    uint32_t alternatives = execution_alternatives(x, t);
    for (uint32_t c = t == chosen; c < alternatives; c++) add(s, x->depth, t, c, x->depth > 0 && goes_on && t != running);
  }
  return pick;
}

static void icb_done(struct strategy *s, const struct execution *x, enum execution_end end, bool cut, bool given_up) {
  (void)end, (void)cut, (void)given_up;
  if (!s->options.once) return;
  vec_clear(&s->last.steps);
  schedule_add(&s->last, x->steps, x->depth);
}

static bool icb_bounded(const struct strategy *s) { return s->bound_hit; }

uint32_t icb_preemptions(const struct strategy *s) { return s->bound; }

const struct strategy_type strategy_icb = {
    .name = "icb",
    .summary = "iterative context bounding: no preemption, then one, ... (--bound: the most)",
    .exhaustive = true,
    .bounds = true,
    .create = icb_create,
    .destroy = icb_destroy,
    .restart = icb_restart,
    .next = icb_next,
    .pick = icb_pick,
    .done = icb_done,
    .bounded = icb_bounded,
};
