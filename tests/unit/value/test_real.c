/* Expressions of floating point: what they are worth, against the host's arithmetic; what is simplified, and what is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../leaks.h"
#include "value/engine.h"
#include "value/eval.h"
#include "value/expr_text.h"
#include "value/real.h"
#include "value/trial.h"

static const double numbers[] = {0.0,    -0.0,    1,        -1,     0.5,  2.5, -2.5, 1e300,    -1e300,    1e-310, 0x1p-1074, 0x1p62,
                                 0x1p63, -0x1p63, 0x1.8p63, 0x1p64, 1e10, 3.7, -3.7, INFINITY, -INFINITY, NAN,    -NAN};
enum { COUNT = sizeof numbers / sizeof *numbers };

static struct value_pool *p;
static struct expr x, y; /* 64 bits */

static void begin(void) {
  p = value_pool_new();
  x = expr_symbol(p, (struct symbol_name){"0.1", 5, 0}, 64);
  y = expr_symbol(p, (struct symbol_name){"0.1", 5, 1}, 64);
}

static struct expr number(double d) { return expr_constant(p, 64, real_bits(d, 64)); }
static void same(struct expr a, struct expr b) { assert_int_equal(a.id, b.id); }

static uint64_t bits_of(double d) {
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return bits;
}

/* The value where x and y are these, which is also what is left if they are put in their places. */
static uint64_t worth(struct expr e, double a, double b) {
  struct value_model m = {0};
  bits128 left;
  value_model_set(&m, expr_the_symbol(p, x), bits_of(a));
  value_model_set(&m, expr_the_symbol(p, y), bits_of(b));
  uint64_t value = (uint64_t)expr_eval(p, e, &m);
  const struct substitution by[] = {{expr_the_symbol(p, x), expr_constant(p, 64, bits_of(a)).id},
                                    {expr_the_symbol(p, y), expr_constant(p, 64, bits_of(b)).id}};
  assert_true(expr_is_constant(p, expr_substitute(p, e, by, 2), &left));
  assert_int_equal(left, value);
  value_model_release(&m);
  return value;
}

static void comparisons_are_those_of_the_host(void **state) {
  (void)state;
  begin();
  struct expr less = real_expr_less(p, x, y), less_equal = real_expr_less_equal(p, x, y), equal = real_expr_equal(p, x, y);
  struct expr unordered = real_expr_unordered(p, x, y);
  for (int i = 0; i < COUNT; i++) {
    struct expr below = real_expr_less(p, x, number(numbers[i])), above = real_expr_less(p, number(numbers[i]), x);
    struct expr is = real_expr_equal(p, x, number(numbers[i]));
    for (int j = 0; j < COUNT; j++) {
      double a = numbers[i], b = numbers[j];
      assert_int_equal(worth(less, a, b), a < b);
      assert_int_equal(worth(less_equal, a, b), a <= b);
      assert_int_equal(worth(equal, a, b), a == b);
      assert_int_equal(worth(unordered, a, b), isunordered(a, b));
      assert_int_equal(worth(below, b, 0), b < a);
      assert_int_equal(worth(above, b, 0), a < b);
      assert_int_equal(worth(is, b, 0), b == a);
    }
  }
  value_pool_free(p);
}

static void signs_are_bits(void **state) {
  (void)state;
  begin();
  for (int i = 0; i < COUNT; i++) {
    double a = numbers[i], b = numbers[COUNT - 1 - i];
    assert_int_equal(worth(real_expr_negate(p, x), a, b), bits_of(-a));
    assert_int_equal(worth(real_expr_absolute(p, x), a, b), bits_of(fabs(a)));
    assert_int_equal(worth(real_expr_copy_sign(p, x, y), a, b), bits_of(copysign(a, b)));
    assert_int_equal(worth(real_expr_is_nan(p, x), a, b), isnan(a));
  }
  same(real_expr_negate(p, real_expr_negate(p, x)), x);
  value_pool_free(p);
}

static void integers_that_do_not_fit_are_the_least(void **state) {
  (void)state;
  begin();
  for (int i = 0; i < COUNT; i++) {
    double a = numbers[i];
    uint64_t to_signed = a >= -0x1p63 && a < 0x1p63 ? (uint64_t)(int64_t)a : (uint64_t)1 << 63;
    assert_int_equal(worth(real_expr_to_signed(p, x), a, 0), to_signed);
    assert_int_equal(worth(real_expr_to_unsigned(p, x), a, 0), a >= 0x1p63 && a < 0x1p64 ? (uint64_t)a : to_signed);
  }
  value_pool_free(p);
}

static void numbers_have_few_identities(void **state) {
  (void)state;
  begin();
  struct expr sum = real_expr_add(p, x, number(0)), i = expr_extract(p, x, 0, 32);
  assert_int_equal(worth(sum, -0.0, 0), 0); /* not x */
  same(real_expr_add(p, x, y), real_expr_add(p, y, x));
  same(real_expr_multiply(p, x, y), real_expr_multiply(p, y, x));
  assert_int_not_equal(real_expr_divide(p, x, y).id, real_expr_divide(p, y, x).id);
  same(real_expr_divide(p, x, number(4)), real_expr_multiply(p, x, number(0.25)));
  assert_int_equal(expr_op(p, real_expr_divide(p, x, number(3))), EXPR_REAL_DIV);
  assert_int_equal(expr_op(p, real_expr_divide(p, x, number(0x1p-1074))), EXPR_REAL_DIV); /* its inverse is no number */
  assert_int_equal(worth(real_expr_multiply(p, x, number(1)), NAN, 0), real_nan(64));
  same(real_expr_to_signed(p, real_expr_from_integer(p, true, i, 64)), expr_sext(p, i, 64));
  assert_int_equal(expr_op(p, real_expr_to_signed(p, real_expr_from_integer(p, true, i, 32))), EXPR_REAL_TO_SIGNED);
  same(real_expr_from_integer(p, true, expr_sext(p, i, 64), 64), real_expr_from_integer(p, true, i, 64));
  same(real_expr_from_integer(p, true, expr_zext(p, i, 64), 64), real_expr_from_integer(p, false, i, 64));
  same(real_expr_is_nan(p, real_expr_from_integer(p, true, i, 64)), expr_constant(p, 1, 0));
  value_pool_free(p);
}

static void values_are_tried_where_there_are_few(void **state) {
  (void)state;
  begin();
  struct trial f = {0};
  struct value_model model = {0};
  struct conjuncts core = {0};
  struct expr c = expr_symbol(p, (struct symbol_name){"0.1", 6, 0}, 8), n = real_expr_from_integer(p, false, c, 64),
              square = real_expr_multiply(p, n, n);
  uint32_t ids[] = {real_expr_equal(p, square, number(49)).id, expr_binary(p, EXPR_ULT, c, expr_constant(p, 8, 100)).id};
  assert_int_equal(trial_solve(&f, p, ids, 2, &model, &core), VALUE_YES);
  assert_int_equal(value_model_get(&model, expr_the_symbol(p, c)), 7);
  ids[0] = real_expr_equal(p, square, number(50)).id;
  value_model_clear(&model);
  assert_int_equal(trial_solve(&f, p, ids, 2, &model, &core), VALUE_NO);
  assert_int_equal(core.ids.count, 1);
  assert_int_equal(core.ids.data[0], ids[0]);
  ids[0] = real_expr_equal(p, x, number(50)).id; /* too many */
  assert_int_equal(trial_solve(&f, p, ids, 2, &model, &core), VALUE_UNKNOWN);
  assert_int_equal(trial_solve(&f, p, ids + 1, 1, &model, &core), VALUE_UNKNOWN); /* no floating point */
  trial_release(&f);
  value_model_release(&model);
  conjuncts_release(&core);
  value_pool_free(p);
}

static void scripts_have_the_theory(void **state) {
  (void)state;
  begin();
  struct text text = {0};
  struct expr equal = expr_binary(p, EXPR_EQ, real_expr_round(p, REAL_AWAY, x), y);
  expr_print_smt(p, &equal, 1, &text);
  assert_non_null(strstr(text_str(&text), "(fp.roundToIntegral RNA ((_ to_fp 11 53) e"));
  text_release(&text);
  expr_print(p, real_expr_round(p, REAL_AWAY, x), &text);
  assert_string_equal(text_str(&text), "fp.roundToIntegral(0.1:5#0, RNA)");
  text_release(&text);
  value_pool_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(comparisons_are_those_of_the_host),      TEST(signs_are_bits),
      TEST(integers_that_do_not_fit_are_the_least), TEST(numbers_have_few_identities),
      TEST(values_are_tried_where_there_are_few),   TEST(scripts_have_the_theory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
