#include "value/conjuncts.h"

#include <stdlib.h>

/* Where an equation's side falls into parts: bits of the lower one; 0: it has none. */
static unsigned border(const struct value_pool *p, struct expr e) {
  enum expr_op op = expr_op(p, e);
  if (op == EXPR_CONCAT) return expr_width(p, operand(p, e, 1));
  if (op != EXPR_ZEXT) return 0;
  op = expr_op(p, operand(p, e, 0));
  return op == EXPR_SYMBOL || op == EXPR_CONCAT ? expr_width(p, operand(p, e, 0)) : 0;
}

/* Two conditions that are the same as `e` together: "x and y", "not (x or y)", an equation of bytes that were put together, and "x | y" of
 * numbers that is 0. */
static bool split(struct value_pool *p, struct expr e, struct expr parts[2]) {
  enum expr_op op = expr_op(p, e);
  if (op == EXPR_AND) {
    for (unsigned i = 0; i < 2; i++) parts[i] = operand(p, e, i);
    return true;
  }
  if (op == EXPR_NOT && expr_op(p, operand(p, e, 0)) == EXPR_OR) {
    for (unsigned i = 0; i < 2; i++) parts[i] = expr_not(p, operand(p, operand(p, e, 0), i));
    return true;
  }
  if (op != EXPR_EQ) return false;
  struct expr a = operand(p, e, 0), b = operand(p, e, 1);
  bits128 value;
  if (expr_op(p, a) == EXPR_OR && expr_is_constant(p, b, &value) && value == 0) {
    for (unsigned i = 0; i < 2; i++) parts[i] = expr_binary(p, EXPR_EQ, operand(p, a, i), b);
    return true;
  }
  unsigned at = border(p, a), width = expr_width(p, a);
  if (!at) at = border(p, b);
  if (!at) return false;
  parts[0] = expr_binary(p, EXPR_EQ, expr_extract(p, a, at, width - at), expr_extract(p, b, at, width - at));
  parts[1] = expr_binary(p, EXPR_EQ, expr_extract(p, a, 0, at), expr_extract(p, b, 0, at));
  return true;
}

void conjuncts_add(struct conjuncts *c, struct value_pool *p, struct expr condition) {
  *vec_push(&c->waiting) = condition.id;
  while (c->waiting.count) {
    struct expr e = {vec_pop(&c->waiting)}, parts[2];
    if (!split(p, e, parts)) {
      *vec_push(&c->ids) = e.id;
      continue;
    }
    *vec_push(&c->waiting) = parts[1].id;
    *vec_push(&c->waiting) = parts[0].id;
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
