/* Conditions as clauses of a solver that has other things to decide: with numbers in place of symbols, they hold if and only if they do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../leaks.h"
#include "base/hash.h"
#include "order/order.h"
#include "value/circuit.h"
#include "value/eval.h"

enum { SYMBOLS = 3, ROUNDS = 300 };

static uint64_t state = 1;
static uint64_t draw(uint64_t below) { return (state = hash_mix(state + 1)) % below; }

struct solver {
  struct order *o;
  size_t clauses;
};

static uint32_t variable(void *data) { return order_var(((struct solver *)data)->o).code; }

static void clause(void *data, const uint32_t *literals, size_t count) {
  struct solver *s = data;
  struct order_lit list[8];
  assert_true(count <= 8);
  for (size_t i = 0; i < count; i++) list[i] = (struct order_lit){literals[i]};
  order_clause(s->o, list, count);
  s->clauses++;
}

/* Of operators that programs' values are made of. */
static struct expr make(struct value_pool *p, const struct expr *symbols, unsigned width, unsigned depth) {
  static const enum expr_op ops[] = {EXPR_ADD, EXPR_SUB, EXPR_MUL, EXPR_AND, EXPR_OR, EXPR_XOR, EXPR_SHL, EXPR_LSHR, EXPR_UDIV, EXPR_SREM};
  if (depth == 0) return draw(3) ? symbols[draw(SYMBOLS)] : expr_constant(p, width, draw(1u << width));
  struct expr a = make(p, symbols, width, depth - 1), b = make(p, symbols, width, depth - 1);
  if (draw(4) == 0) return expr_ite(p, expr_binary(p, draw(2) ? EXPR_SLT : EXPR_ULE, a, b), b, a);
  return expr_binary(p, ops[draw(sizeof ops / sizeof *ops)], a, b);
}

static void is(struct circuit *c, struct solver *s, struct expr condition) {
  uint32_t literal;
  assert_true(circuit_condition(c, condition, SIZE_MAX, &literal));
  clause(s, &literal, 1);
}

static void one_round(void) {
  struct value_pool *p = value_pool_new();
  struct solver s = {.o = order_new(ORDER_ENGINE, NULL)};
  struct circuit_solver to = {variable, clause, &s};
  struct circuit *c = circuit_new(p, &to);
  struct value_model m = {0};
  struct expr symbols[SYMBOLS];
  unsigned width = 1 + (unsigned)draw(12);
  order_clear(s.o, 0);
  for (unsigned i = 0; i < SYMBOLS; i++) {
    symbols[i] = expr_symbol(p, (struct symbol_name){.thread = "0", .count = i}, width);
    uint64_t value = draw(1u << width);
    value_model_set(&m, expr_the_symbol(p, symbols[i]), value);
    is(c, &s, expr_binary(p, EXPR_EQ, symbols[i], expr_constant(p, width, value)));
  }
  struct expr a = make(p, symbols, width, 3), b = make(p, symbols, width, 2);
  struct expr condition = expr_binary(p, draw(2) ? EXPR_EQ : EXPR_SLT, a, b);
  bool holds = expr_eval(p, condition, &m);
  uint32_t literal;
  assert_true(circuit_condition(c, condition, SIZE_MAX, &literal));
  assert_int_equal(order_solve(s.o, &(struct order_lit){literal}, 1, ORDER_UNBOUNDED), holds ? ORDER_YES : ORDER_NO);
  assert_int_equal(order_solve(s.o, &(struct order_lit){literal ^ 1}, 1, ORDER_UNBOUNDED), holds ? ORDER_NO : ORDER_YES);
  value_model_release(&m);
  circuit_free(c);
  order_free(s.o);
  value_pool_free(p);
}

static void numbers(void **unused) {
  (void)unused;
  for (unsigned i = 0; i < ROUNDS; i++) one_round();
}

/* What was made is not made again. */
static void once(void **unused) {
  (void)unused;
  struct value_pool *p = value_pool_new();
  struct solver s = {.o = order_new(ORDER_ENGINE, NULL)};
  struct circuit_solver to = {variable, clause, &s};
  struct circuit *c = circuit_new(p, &to);
  uint32_t first, second;
  order_clear(s.o, 0);
  struct expr x = expr_symbol(p, (struct symbol_name){.thread = "0"}, 32);
  struct expr condition = expr_binary(p, EXPR_ULT, expr_binary(p, EXPR_ADD, x, x), expr_constant(p, 32, 1000));
  assert_true(circuit_condition(c, condition, SIZE_MAX, &first));
  size_t clauses = s.clauses;
  assert_true(clauses > 0);
  assert_true(circuit_condition(c, condition, SIZE_MAX, &second));
  assert_int_equal(first, second);
  assert_int_equal(clauses, s.clauses);
  assert_false(circuit_condition(c, expr_binary(p, EXPR_EQ, expr_binary(p, EXPR_MUL, x, x), x), 1, &first)); /* too many gates */
  circuit_free(c);
  order_free(s.o);
  value_pool_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(numbers, nothing_is_leaked),
                                     cmocka_unit_test_teardown(once, nothing_is_leaked)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
