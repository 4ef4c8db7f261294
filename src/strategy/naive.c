/* Every interleaving and every choice, depth first. Obviously right and slow: the reference for all other strategies. */
#include "strategy/tree.h"

struct strategy {
  struct tree tree;
};

static struct strategy *naive_create(const struct strategy_options *options) {
  (void)options;
  return mem_alloc(sizeof(struct strategy));
}

static void naive_restart(struct strategy *s) { tree_clear(&s->tree); }

static void naive_destroy(struct strategy *s) {
  tree_release(&s->tree);
  mem_free(s, sizeof *s);
}

static const struct schedule *naive_next(struct strategy *s) {
  struct tree *t = &s->tree;
  if (!t->started) return tree_prefix(t);
  while (t->nodes.count > 0)
    if (tree_turn(t)) return tree_prefix(t);
  return NULL;
}

static enum pick naive_pick(struct strategy *s, const struct execution *x, struct step *step) {
  if (!s->tree.resumed) tree_enter(&s->tree, x);
  *step = tree_take(&s->tree, x);
  return PICK_STEP;
}

static void naive_done(struct strategy *s, const struct execution *x, enum execution_end end, bool cut, bool given_up) {
  (void)s, (void)x, (void)end, (void)cut, (void)given_up;
}

static bool naive_bounded(const struct strategy *s) {
  (void)s;
  return false;
}

static double naive_progress(const struct strategy *s) { return tree_progress(&s->tree); }

const struct strategy_type strategy_naive = {
    .name = "naive",
    .summary = "every interleaving: exhaustive and slow, the reference",
    .exhaustive = true,
    .create = naive_create,
    .destroy = naive_destroy,
    .restart = naive_restart,
    .next = naive_next,
    .pick = naive_pick,
    .done = naive_done,
    .bounded = naive_bounded,
    .progress = naive_progress,
};
