/* Iterative context bounding (Musuvathi, Qadeer: "Iterative context bounding for systematic testing of multithreaded programs", PLDI 2007).
 *
 * All executions without a preemption, then all with one, and so on; each exactly once. A preemption is a switch away from a thread that
 * could go on; switching where the running thread is blocked or has ended is free, and so are a step's alternatives.
 *
 * An execution is the default one (stay with the thread; else the lowest; first alternative) but for its deviations, and the deviations
 * form a tree: an execution's children deviate once more, at a later step. A node of it takes 12 bytes, so the frontier of the next
 * bound is kept in memory. */
#include "explore/strategy.h"

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
  struct schedule empty;
};

static struct strategy *icb_create(const struct strategy_options *options) {
  struct strategy *s = mem_alloc(sizeof *s);
  s->options = *options;
  return s;
}

static void icb_restart(struct strategy *s) {
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
  mem_free(s, sizeof *s);
}

static void next_round(struct strategy *s) {
  typeof(s->present) empty = s->present;
  s->present = s->later;
  s->later = empty;
  s->bound++;
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
  return &s->empty;
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

static enum pick icb_pick(struct strategy *s, const struct execution *x, struct step *step) {
  if (s->path.count > 0 && s->nodes.data[vec_last(&s->path)].depth == x->depth) {
    const struct deviation *d = &s->nodes.data[vec_pop(&s->path)];
    *step = (struct step){d->thread, d->choice};
    return PICK_STEP;
  }
  uint32_t running = x->depth > 0 ? x->steps[x->depth - 1].thread : 0;
  bool goes_on = tset_has(x->enabled, running);
  uint32_t chosen = goes_on ? running : tset_next(x->enabled, 0);
  *step = (struct step){.thread = chosen};
  if (x->depth < s->branch_from) return PICK_STEP;
  for (uint32_t t = tset_next(x->enabled, 0); t < THREADS_MAX; t = tset_next(x->enabled, t + 1)) {
    uint32_t alternatives = execution_alternatives(x, t);
    for (uint32_t c = t == chosen; c < alternatives; c++) add(s, x->depth, t, c, x->depth > 0 && goes_on && t != running);
  }
  return PICK_STEP;
}

static void icb_done(struct strategy *s, const struct execution *x, enum execution_end end, bool cut, bool given_up) {
  (void)s, (void)x, (void)end, (void)cut, (void)given_up;
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
