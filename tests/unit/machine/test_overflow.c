/* Whether results fit, as expressions: against the compiler's arithmetic, with all widths, and with operands whose bounds are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../leaks.h"
#include "machine/symbolic/look.h"
#include "value/eval.h"

__extension__ typedef __int128 number;

static uint64_t random_state = 7;

static uint64_t below(uint64_t n) {
  random_state = hash_mix(random_state);
  return (random_state >> 7) % n;
}

/* Near 0, near a power of two and its negative, near where products begin not to fit, or any. */
static bits128 some_number(unsigned width) {
  bits128 any = (bits128)hash_mix(random_state) << 64 | hash_mix(random_state + 1), power = (bits128)1 << below(width);
  switch (below(5)) {
    case 0:
      return bits_trim((bits128)below(5) - 2, width);
    case 1:
      return bits_trim(power + below(3) - 1, width);
    case 2:
      return bits_trim(-(power + below(3) - 1), width);
    case 3:
      return bits_trim(any, (unsigned)(1 + below(width)));
    default:
      return bits_trim(any, width);
  }
}

static number as_signed(bits128 x, unsigned width) { return (number)bits_sext(x, width, 128); }

static bool overflows(enum expr_op op, bool is_signed, unsigned width, bits128 x, bits128 y, bits128 *result) {
  bits128 u;
  number s;
  bool o;
  if (is_signed) {
    number a = as_signed(x, width), b = as_signed(y, width);
    o = op == EXPR_ADD   ? __builtin_add_overflow(a, b, &s)
        : op == EXPR_SUB ? __builtin_sub_overflow(a, b, &s)
                         : __builtin_mul_overflow(a, b, &s);
    *result = bits_trim((bits128)s, width);
    return o || as_signed(*result, width) != s;
  }
  o = op == EXPR_ADD   ? __builtin_add_overflow(x, y, &u)
      : op == EXPR_SUB ? __builtin_sub_overflow(x, y, &u)
                       : __builtin_mul_overflow(x, y, &u);
  *result = bits_trim(u, width);
  return o || *result != u;
}

/* An operand: a symbol, one of fewer bits that is widened, or a constant. */
struct operand {
  unsigned bits; /* the symbol's; 0: it is a constant */
  bool sign;
  struct expr e;
};

static struct operand some_operand(struct value_pool *p, unsigned width, uint64_t count) {
  static const unsigned narrow[] = {1, 32, 63, 64, 65};
  struct operand o = {.bits = width, .sign = below(2)};
  if (below(3) == 0) o.bits = narrow[below(5)];
  if (o.bits > width) o.bits = width;
  if (below(6) == 0) return o.bits = 0, o.e = expr_constant(p, width, some_number(width)), o;
  struct expr symbol = expr_symbol(p, (struct symbol_name){"0", 1, count}, o.bits);
  o.e = o.sign ? expr_sext(p, symbol, width) : expr_zext(p, symbol, width);
  return o;
}

static bits128 take(struct value_pool *p, struct value_model *m, const struct operand *o, unsigned width, uint64_t count) {
  bits128 x;
  if (expr_is_constant(p, o->e, &x)) return x;
  x = some_number(o->bits);
  value_model_set(m, expr_the_symbol(p, expr_symbol(p, (struct symbol_name){"0", 1, count}, o->bits)), x);
  return o->sign ? bits_sext(x, o->bits, width) : x;
}

static void results_fit_as_the_compiler_says(void **state) {
  (void)state;
  static const enum expr_op operators[] = {EXPR_ADD, EXPR_SUB, EXPR_MUL};
  for (unsigned i = 0; i < 3000; i++) {
    static const unsigned widths[] = {8, 32, 64, 65, 72, 96, 127, 128, 128};
    struct value_pool *p = value_pool_new();
    struct value_model m = {0};
    unsigned width = widths[below(9)];
    enum expr_op op = operators[below(3)];
    bool is_signed = below(2);
    struct operand x = some_operand(p, width, 0), y = some_operand(p, width, 1);
    struct overflowing z = look_overflowing(p, op, is_signed, x.e, y.e);
    assert_int_equal(expr_width(p, z.result), width);
    for (unsigned k = 0; k < 40; k++) {
      bits128 a = take(p, &m, &x, width, 0), b = take(p, &m, &y, width, 1), result;
      bool o = overflows(op, is_signed, width, a, b, &result);
      assert_true(expr_eval(p, z.result, &m) == result);
      assert_int_equal(expr_eval(p, z.overflows, &m), o);
    }
    value_model_release(&m);
    value_pool_free(p);
  }
}

static void what_has_room_is_one_product(void **state) {
  (void)state;
  struct value_pool *p = value_pool_new();
  struct expr a = expr_symbol(p, (struct symbol_name){"0", 1, 0}, 64), b = expr_symbol(p, (struct symbol_name){"0", 1, 1}, 64);
  bits128 never = 1;
  struct overflowing z = look_overflowing(p, EXPR_MUL, false, expr_zext(p, a, 128), expr_zext(p, b, 128));
  assert_true(expr_is_constant(p, z.overflows, &never) && never == 0);
  never = 1;
  z = look_overflowing(p, EXPR_MUL, true, expr_sext(p, a, 128), expr_sext(p, b, 128));
  assert_true(expr_is_constant(p, z.overflows, &never) && never == 0);
  value_pool_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {TEST(results_fit_as_the_compiler_says), TEST(what_has_room_is_one_product)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
