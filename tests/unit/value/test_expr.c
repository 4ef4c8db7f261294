/* Expressions: what is simplified to what, what is known of them, how they are printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../leaks.h"
#include "value/eval.h"
#include "value/expr_text.h"

static struct value_pool *p;
static struct expr x, y; /* 32 bits */

static void begin(void) {
  p = value_pool_new();
  x = expr_symbol(p, (struct symbol_name){"0.1", 5, 0}, 32);
  y = expr_symbol(p, (struct symbol_name){"0.1", 5, 1}, 32);
}

static struct expr number(bits128 v) { return expr_constant(p, 32, v); }
static struct expr op(enum expr_op o, struct expr a, struct expr b) { return expr_binary(p, o, a, b); }
static void same(struct expr a, struct expr b) { assert_int_equal(a.id, b.id); }

static void what_is_equal_is_made_once(void **state) {
  (void)state;
  begin();
  size_t count = value_pool_count(p);
  same(x, expr_symbol(p, (struct symbol_name){"0.1", 5, 0}, 32));
  assert_int_equal(value_pool_count(p), count);
  same(op(EXPR_MUL, x, y), op(EXPR_MUL, y, x));
  assert_int_not_equal(x.id, expr_symbol(p, (struct symbol_name){"0.1", 5, 0}, 31).id);
  assert_int_not_equal(x.id, expr_symbol(p, (struct symbol_name){"0.2", 5, 0}, 32).id);
  value_pool_free(p);
}

static void sums_gather_their_constants(void **state) {
  (void)state;
  begin();
  struct expr a = op(EXPR_ADD, x, number(3));
  same(op(EXPR_SUB, a, number(3)), x);
  same(op(EXPR_EQ, a, number(1)), op(EXPR_EQ, x, number(0xfffffffe)));
  same(op(EXPR_EQ, a, op(EXPR_ADD, x, number(4))), expr_constant(p, 1, 0));
  same(op(EXPR_SUB, a, a), number(0));
  same(op(EXPR_SUB, number(0), expr_neg(p, x)), x);
  value_pool_free(p);
}

static void bytes_that_are_put_together_are_the_whole(void **state) {
  (void)state;
  begin();
  struct expr whole = expr_extract(p, x, 24, 8);
  for (unsigned i = 3; i-- > 0;) whole = expr_concat(p, whole, expr_extract(p, x, 8 * i, 8));
  same(whole, x);
  same(op(EXPR_AND, op(EXPR_LSHR, expr_zext(p, x, 32), number(8)), number(0xffffffff)), expr_zext(p, expr_extract(p, x, 8, 24), 32));
  same(expr_extract(p, expr_sext(p, x, 64), 0, 32), x);
  value_pool_free(p);
}

/* As a machine of 64 bits has them. */
static void same_from_halves(struct expr whole) {
  unsigned low = expr_width(p, whole) / 2 + 3, width = expr_width(p, whole);
  same(expr_concat(p, expr_extract(p, whole, low, width - low), expr_extract(p, whole, 0, low)), whole);
}

static void halves_that_are_put_together_are_the_whole(void **state) {
  (void)state;
  begin();
  struct expr sum = op(EXPR_ADD, x, number(0x12345)), c = op(EXPR_ULT, x, y);
  same_from_halves(x);
  same_from_halves(op(EXPR_MUL, x, y));
  same_from_halves(sum);
  same_from_halves(expr_zext(p, sum, 40));
  same_from_halves(expr_sext(p, sum, 40));
  same_from_halves(expr_sext(p, x, 128));
  same_from_halves(expr_sext(p, x, 33));
  same_from_halves(expr_sext(p, c, 64));
  same_from_halves(expr_ite(p, c, number(0x1234567), number(0x89)));
  struct expr halves[2];
  for (unsigned i = 0; i < 2; i++) halves[i] = expr_ite(p, c, expr_extract(p, sum, 16 * i, 16), expr_extract(p, y, 16 * i, 16));
  same(expr_concat(p, halves[1], halves[0]), expr_ite(p, c, sum, y));
  struct expr counter = x;
  for (unsigned i = 0; i < 100; i++) {
    struct expr next = op(EXPR_ADD, counter, number(1));
    counter = expr_concat(p, expr_extract(p, next, 16, 16), expr_extract(p, next, 0, 16));
  }
  same(counter, op(EXPR_ADD, x, number(100)));
  value_pool_free(p);
}

static void comparisons_lose_what_was_widened(void **state) {
  (void)state;
  begin();
  struct expr wide = expr_zext(p, x, 64);
  same(op(EXPR_SLT, wide, expr_constant(p, 64, 0)), expr_constant(p, 1, 0));
  same(op(EXPR_SLT, wide, expr_constant(p, 64, 7)), op(EXPR_ULT, x, number(7)));
  same(op(EXPR_EQ, expr_sext(p, x, 64), expr_constant(p, 64, 1ull << 40)), expr_constant(p, 1, 0));
  same(expr_not(p, op(EXPR_ULT, x, y)), op(EXPR_ULE, y, x));
  same(op(EXPR_ULT, x, number(1)), op(EXPR_EQ, x, number(0)));
  value_pool_free(p);
}

static void choices_of_constants_are_conditions(void **state) {
  (void)state;
  begin();
  struct expr c = op(EXPR_ULT, x, y), flag = expr_ite(p, c, number(1), number(0));
  same(op(EXPR_EQ, flag, number(0)), expr_not(p, c));
  same(expr_extract(p, flag, 0, 1), c);
  same(op(EXPR_EQ, flag, number(2)), expr_constant(p, 1, 0));
  value_pool_free(p);
}

static void division_by_zero_has_the_meaning_of_smt_lib(void **state) {
  (void)state;
  begin();
  same(op(EXPR_UDIV, x, number(0)), number(0xffffffff));
  same(op(EXPR_UREM, x, number(0)), x);
  same(op(EXPR_SDIV, number(0xfffffff0), number(0)), number(1));
  same(op(EXPR_SDIV, number(0x80000000), number(0xffffffff)), number(0x80000000));
  same(op(EXPR_SHL, x, number(32)), number(0));
  same(op(EXPR_ASHR, number(0x80000000), number(99)), number(0xffffffff));
  value_pool_free(p);
}

static struct expr at(uint64_t i) { return expr_constant(p, ARRAY_INDEX_WIDTH, i); }

static void a_read_finds_what_was_stored(void **state) {
  (void)state;
  begin();
  struct expr_array a = expr_array_symbol(p, (struct symbol_name){"0", 9, 0});
  struct expr byte = expr_extract(p, x, 0, 8), i = expr_zext(p, y, 64), j = expr_binary(p, EXPR_ADD, i, at(1));
  struct expr_array b = expr_store(p, expr_store(p, a, i, byte), j, expr_constant(p, 8, 4));
  same(expr_select(p, b, i), byte);
  assert_int_equal(expr_op(p, expr_select(p, b, at(3))), EXPR_SELECT); /* may be either */
  assert_true(expr_array_equal(expr_store(p, b, i, byte), b));
  struct value_model m = {0};
  value_model_set(&m, expr_the_symbol(p, y), 2);
  value_model_set_byte(&m, expr_array_the_symbol(p, a), 7, 70);
  assert_true(expr_eval(p, expr_select(p, b, at(3)), &m) == 4);
  assert_true(expr_eval(p, expr_select(p, b, at(7)), &m) == 70);
  value_model_release(&m);
  value_pool_free(p);
}

static void symbols_are_those_that_are_left(void **state) {
  (void)state;
  begin();
  size_t count;
  struct expr sum = op(EXPR_MUL, x, op(EXPR_XOR, y, x));
  const struct symbol *of = symbol_set_list(p, expr_symbols(p, sum), &count);
  assert_int_equal(count, 2);
  assert_int_equal(of[0].id, expr_the_symbol(p, x).id);
  assert_int_equal(expr_symbols(p, op(EXPR_ADD, y, x)).id, expr_symbols(p, sum).id);
  assert_int_equal(expr_symbols(p, op(EXPR_SUB, x, x)).id, 0);
  value_pool_free(p);
}

static void a_long_chain_needs_no_deep_stack(void **state) {
  (void)state;
  begin();
  struct expr e = x;
  for (int i = 0; i < 200000; i++) e = op(EXPR_ADD, op(EXPR_XOR, e, y), number(1));
  struct value_model m = {0};
  value_model_set(&m, expr_the_symbol(p, x), 5);
  assert_true(expr_eval(p, e, &m) == 200005);
  value_model_release(&m);
  value_pool_free(p);
}

static void models_keep_values_by_symbol_and_index(void **state) {
  (void)state;
  struct value_model m = {0}, other = {0};
  const struct symbol a = {3}, b = {1};
  for (uint64_t i = 100; i-- > 0;) value_model_set_byte(&m, a, i * i, (uint8_t)i);
  value_model_set(&m, b, 17);
  value_model_set_byte(&m, a, 49, 77);
  for (uint64_t i = 0; i < 100; i++) assert_int_equal(value_model_get_byte(&m, a, i * i), i == 7 ? 77 : i);
  assert_int_equal(value_model_get_byte(&m, a, 50), 0);
  value_model_set_byte(&other, a, 50, 5);
  value_model_take(&m, a, &other);
  assert_int_equal(value_model_get_byte(&m, a, 50), 5);
  assert_int_equal(value_model_get_byte(&m, a, 49), 0);
  assert_true(value_model_get(&m, b) == 17);
  value_model_take(&other, b, &m);
  assert_true(value_model_get(&other, b) == 17);
  value_model_release(&m);
  value_model_release(&other);
}

static void an_evaluator_forgets_what_it_knew_when_it_begins(void **state) {
  (void)state;
  begin();
  struct value_model m = {0};
  struct evaluator v = {0};
  struct expr sum = op(EXPR_ADD, x, number(1));
  value_model_set(&m, expr_the_symbol(p, x), 5);
  evaluator_begin(&v, p, &m);
  assert_true(evaluator_value(&v, sum) == 6);
  assert_true(evaluator_value(&v, op(EXPR_MUL, sum, y)) == 0); /* made since */
  value_model_set(&m, expr_the_symbol(p, x), 7);
  evaluator_begin(&v, p, &m);
  assert_true(evaluator_value(&v, sum) == 8);
  evaluator_release(&v);
  value_model_release(&m);
  value_pool_free(p);
}

static void expressions_are_printed(void **state) {
  (void)state;
  begin();
  struct text t = {0};
  struct expr c = op(EXPR_ULT, op(EXPR_ADD, x, number(16)), y);
  expr_print(p, c, &t);
  assert_string_equal(text_str(&t), "bvult((0.1:5#0 + 0x10), 0.1:5#1)");
  text_release(&t);
  value_pool_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(what_is_equal_is_made_once),
      TEST(sums_gather_their_constants),
      TEST(bytes_that_are_put_together_are_the_whole),
      TEST(halves_that_are_put_together_are_the_whole),
      TEST(comparisons_lose_what_was_widened),
      TEST(choices_of_constants_are_conditions),
      TEST(division_by_zero_has_the_meaning_of_smt_lib),
      TEST(a_read_finds_what_was_stored),
      TEST(symbols_are_those_that_are_left),
      TEST(a_long_chain_needs_no_deep_stack),
      TEST(models_keep_values_by_symbol_and_index),
      TEST(an_evaluator_forgets_what_it_knew_when_it_begins),
      TEST(expressions_are_printed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
