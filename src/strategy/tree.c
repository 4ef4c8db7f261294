#include "strategy/tree.h"

void tree_clear(struct tree *t) {
  vec_clear(&t->path.steps);
  vec_clear(&t->nodes);
  t->started = t->resumed = false;
}

void tree_release(struct tree *t) {
  vec_release(&t->path.steps);
  vec_release(&t->nodes);
}

void tree_begin_at(struct tree *t, const struct step *steps, size_t n) {
  schedule_add(&t->path, steps, n);
  for (size_t i = 0; i < n; i++) *vec_push(&t->nodes) = (struct tree_node){.threads = 1, .tried = 1};
}

bool tree_turn(struct tree *t) {
  struct tree_node *n = &vec_last(&t->nodes);
  struct step *step = &vec_last(&t->path.steps);
  if (++step->choice < n->alternatives) return true;
  uint32_t thread = tset_next(&n->left, 0);
  if (thread == THREADS_MAX) {
    t->nodes.count--, t->path.steps.count--;
    return false;
  }
  tset_remove(&n->left, thread);
  n->tried++;
  *step = (struct step){.thread = thread};
  n->alternatives = 0; /* known when the state is reached again */
  return true;
}

const struct schedule *tree_prefix(struct tree *t) {
  t->resumed = t->started;
  t->started = true;
  t->prefix = t->path;
  if (t->resumed) t->prefix.steps.count--;
  return &t->prefix;
}

struct tree_node *tree_enter(struct tree *t, const struct execution *x) {
  struct tree_node *n = vec_push(&t->nodes);
  *n = (struct tree_node){.left = *x->enabled, .threads = tset_count(x->enabled), .tried = 1};
  uint32_t thread = x->depth > 0 ? x->steps[x->depth - 1].thread : 0;
  if (!tset_has(&n->left, thread)) thread = tset_next(&n->left, 0);
  tset_remove(&n->left, thread);
  *vec_push(&t->path.steps) = (struct step){.thread = thread};
  return n;
}

struct step tree_take(struct tree *t, const struct execution *x) {
  struct tree_node *n = &vec_last(&t->nodes);
  struct step step = vec_last(&t->path.steps);
  t->resumed = false;
  if (n->alternatives == 0) n->alternatives = execution_alternatives(x, step.thread);
  return step;
}

double tree_progress(const struct tree *t) {
  struct tree_share p = {.width = 1};
  for (size_t i = 0; i < t->nodes.count; i++) {
    const struct tree_node *n = &t->nodes.data[i];
    tree_share_descend(&p, n->threads, n->tried - 1, n->alternatives, t->path.steps.data[i].choice);
  }
  return p.done;
}
