#include "value/walk.h"

#include <stdlib.h>

static int by_id(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void visit(struct walk *w, uint32_t id) {
  bool is_new;
  hashmap_at(&w->seen, id, 1, &is_new);
  if (is_new) *vec_push(&w->ids) = id;
}

void walk_from(struct walk *w, const struct value_pool *p, const uint32_t *roots, size_t count) {
  for (size_t i = 0; i < count; i++) visit(w, roots[i]);
  for (size_t next = 0; next < w->ids.count; next++) {
    const struct node *n = node_at(p, w->ids.data[next]);
    for (unsigned i = 0; i < node_operands((enum expr_op)n->op); i++) visit(w, n->args[i]);
  }
  if (w->ids.count) qsort(w->ids.data, w->ids.count, sizeof *w->ids.data, by_id);
}

void walk_release(struct walk *w) {
  vec_release(&w->ids);
  hashmap_release(&w->seen);
}

/* A product with a power of two is no work. */
static bool is_costly(const struct value_pool *p, const struct node *n) {
  if (n->op == EXPR_MUL) {
    bits128 factor;
    return !expr_is_constant(p, (struct expr){n->args[1]}, &factor) || (factor & (factor - 1)) != 0;
  }
  return (n->op >= EXPR_UDIV && n->op <= EXPR_SREM) || n->op == EXPR_SELECT || expr_is_real((enum expr_op)n->op);
}

bool expr_is_simple(const struct value_pool *p, struct expr e, size_t most) {
  struct walk w = {0};
  walk_from(&w, p, &e.id, 1);
  bool simple = w.ids.count <= most;
  for (size_t i = 0; simple && i < w.ids.count; i++) simple = !is_costly(p, node_at(p, w.ids.data[i]));
  walk_release(&w);
  return simple;
}
