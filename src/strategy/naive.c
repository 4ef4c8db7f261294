/* Every interleaving and every choice, depth first. Obviously right and slow: the reference for all other strategies. */
#include "strategy/strategy.h"

struct node {
  struct tset left; /* enabled threads not yet begun here */
  uint32_t alternatives, threads;
  uint32_t tried; /* threads begun, the present one included */
};

struct strategy {
  struct schedule path; /* the present execution's steps; path.steps.data[i] is taken at nodes.data[i] */
  VEC(struct node) nodes;
  struct schedule prefix; /* borrows path's array */
  bool started, resumed;
};

static struct strategy *naive_create(const struct strategy_options *options) {
  (void)options;
  return mem_alloc(sizeof(struct strategy));
}

static void naive_restart(struct strategy *s) {
  vec_clear(&s->path.steps);
  vec_clear(&s->nodes);
  s->started = s->resumed = false;
}

static void naive_destroy(struct strategy *s) {
  vec_release(&s->path.steps);
  vec_release(&s->nodes);
  mem_free(s, sizeof *s);
}

/* Moves on to the next sibling of the deepest node that has one. */
static bool advance(struct strategy *s) {
  for (; s->nodes.count > 0; s->nodes.count--, s->path.steps.count--) {
    struct node *n = &vec_last(&s->nodes);
    struct step *step = &vec_last(&s->path.steps);
    if (++step->choice < n->alternatives) return true;
    uint32_t t = tset_next(&n->left, 0);
    if (t == THREADS_MAX) continue;
    tset_remove(&n->left, t);
    n->tried++;
    *step = (struct step){.thread = t};
    n->alternatives = 0; /* known when the state is reached again */
    return true;
  }
  return false;
}

static const struct schedule *naive_next(struct strategy *s) {
  if (s->started && !advance(s)) return NULL;
  s->resumed = s->started;
  s->started = true;
  s->prefix = s->path;
  if (s->resumed) s->prefix.steps.count--;
  return &s->prefix;
}

static enum pick naive_pick(struct strategy *s, const struct execution *x, struct step *step) {
  if (s->resumed) {
    s->resumed = false;
    *step = vec_last(&s->path.steps);
    struct node *n = &vec_last(&s->nodes);
    if (n->alternatives == 0) n->alternatives = execution_alternatives(x, step->thread);
    return PICK_STEP;
  }
  struct node n = {.left = *x->enabled, .tried = 1};
  n.threads = tset_count(&n.left);
  /* Staying with the thread makes the first executions the natural ones. */
  uint32_t t = x->depth > 0 ? x->steps[x->depth - 1].thread : 0;
  if (!tset_has(&n.left, t)) t = tset_next(&n.left, 0);
  tset_remove(&n.left, t);
  n.alternatives = execution_alternatives(x, t);
  *step = (struct step){.thread = t};
  *vec_push(&s->nodes) = n;
  *vec_push(&s->path.steps) = *step;
  return PICK_STEP;
}

static void naive_done(struct strategy *s, const struct execution *x, enum execution_end end, bool cut, bool given_up) {
  (void)s, (void)x, (void)end, (void)cut, (void)given_up;
}

static bool naive_bounded(const struct strategy *s) {
  (void)s;
  return false;
}

static double naive_progress(const struct strategy *s) {
  struct tree_share p = {.width = 1};
  for (size_t i = 0; i < s->nodes.count; i++) {
    const struct node *n = &s->nodes.data[i];
    tree_share_descend(&p, n->threads, n->tried - 1, n->alternatives, s->path.steps.data[i].choice);
  }
  return p.done;
}

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
