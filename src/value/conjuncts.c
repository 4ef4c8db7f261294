#include "value/conjuncts.h"

#include <stdlib.h>

void conjuncts_add(struct conjuncts *c, struct value_pool *p, struct expr condition) {
  *vec_push(&c->waiting) = condition.id;
  while (c->waiting.count) {
    struct expr e = {vec_pop(&c->waiting)};
    struct node n = *node_at(p, e.id);
    bool inverse = n.op == EXPR_NOT && node_at(p, n.args[0])->op == EXPR_OR;
    if (n.op != EXPR_AND && !inverse) {
      *vec_push(&c->ids) = e.id;
      continue;
    }
    if (inverse) n = *node_at(p, n.args[0]);
    for (unsigned i = 2; i-- > 0;) {
      struct expr part = {n.args[i]};
      if (inverse) part = expr_not(p, part);
      *vec_push(&c->waiting) = part.id;
    }
  }
}

static int by_id(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

void conjuncts_sort(struct conjuncts *c, const struct value_pool *p) {
  size_t kept = 0;
  bits128 value;
  if (c->ids.count) qsort(c->ids.data, c->ids.count, sizeof *c->ids.data, by_id);
  for (size_t i = 0; i < c->ids.count; i++) {
    struct expr e = {c->ids.data[i]};
    if (kept && c->ids.data[kept - 1] == e.id) continue;
    if (expr_is_constant(p, e, &value) && value) continue;
    c->ids.data[kept++] = e.id;
  }
  c->ids.count = kept;
}

bool ids_include(const uint32_t *b, size_t b_count, const uint32_t *a, size_t a_count) {
  if (a_count > b_count) return false;
  size_t j = 0;
  for (size_t i = 0; i < a_count; i++, j++) {
    while (j < b_count && b[j] < a[i]) j++;
    if (j == b_count || b[j] != a[i]) return false;
  }
  return true;
}

void conjuncts_release(struct conjuncts *c) {
  vec_release(&c->ids);
  vec_release(&c->waiting);
}
