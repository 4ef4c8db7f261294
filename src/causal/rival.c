/* Many pairs in one question: for each access a Boolean that says "its thread stands before it at the end", for each set of pairs one that
 * says "one of each side does", and of the latter one holds. So the question grows by the accesses, not by their pairs. */
#include "causal/internal.h"

/* If the literal holds, the thread stands before the access at the end, with what that depends on. */
static struct order_lit stands(struct causal *c, uint32_t event) {
  const struct info *x = &c->info.data[event];
  struct order_lit holds = order_var(c->order);
  if (x->before != NONE) order_implies(c->order, holds, x->before, c->end);
  order_implies(c->order, holds, c->end, x->place);
  for (uint32_t k = c->needs->starts[event]; k < c->needs->starts[event + 1]; k++)
    if (c->needs->reads[k] < event) clause2(c, order_not(holds), c->info.data[c->needs->reads[k]].keep);
  return holds;
}

/* If it holds, the free is over at the end. */
static struct order_lit is_over(struct causal *c, uint32_t event) {
  struct order_lit holds = order_var(c->order);
  order_implies(c->order, holds, place_of(c, event), c->end);
  return holds;
}

/* If `set` holds, one of the side's literals does, which are appended to c->alternatives. */
static void add_side(struct causal *c, struct order_lit set, const uint32_t *events, uint32_t n, bool frees) {
  size_t first = c->alternatives.count;
  for (uint32_t i = 0; i < n; i++) {
    struct order_lit holds = frees ? is_over(c, events[i]) : stands(c, events[i]);
    *vec_push(&c->alternatives) = holds;
  }
  clause_begin(c);
  clause_or(c, order_not(set));
  for (uint32_t i = 0; i < n; i++) clause_or(c, c->alternatives.data[first + i]);
  clause_end(c);
}

/* The first of the side's events whose literal holds in the answer; NONE. */
static uint32_t chosen(struct causal *c, size_t first, const uint32_t *events, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (order_value(c->order, c->alternatives.data[first + i])) return events[i];
  return NONE;
}

static void find_pair(struct causal *c, const struct causal_rivals *rivals, uint32_t n, uint32_t *a, uint32_t *b) {
  size_t at = 0;
  for (uint32_t i = 0; i < n; at += 1 + rivals[i].n + rivals[i].m, i++) {
    if (!order_value(c->order, c->alternatives.data[at])) continue;
    *a = chosen(c, at + 1, rivals[i].firsts, rivals[i].n);
    *b = chosen(c, at + 1 + rivals[i].n, rivals[i].seconds, rivals[i].m);
    return;
  }
}

enum causal_answer causal_rival(struct causal *c, const struct causal_rivals *rivals, uint32_t n, uint32_t *a, uint32_t *b) {
  VEC(struct order_lit) sets = {0};
  vec_clear(&c->steps);
  prepare(c);
  order_push(c->order);
  vec_clear(&c->alternatives);
  for (uint32_t i = 0; i < n; i++) {
    struct order_lit set = order_var(c->order);
    *vec_push(&sets) = set;
    *vec_push(&c->alternatives) = set;
    add_side(c, set, rivals[i].firsts, rivals[i].n, false);
    add_side(c, set, rivals[i].seconds, rivals[i].m, rivals[i].frees);
  }
  order_clause(c->order, sets.data, sets.count);
  enum order_answer answer = question_solve(c);
  if (answer == ORDER_YES) find_pair(c, rivals, n, a, b);
  bool exact = answer == ORDER_NO && question_is_exact(c);
  order_pop(c->order);
  vec_release(&sets);
  return answer == ORDER_YES ? CAUSAL_YES : exact ? CAUSAL_NO : CAUSAL_UNKNOWN;
}
