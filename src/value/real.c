#include "value/real.h"

#include "value/internal.h"

static struct expr flag(struct value_pool *p, bool b) { return expr_constant(p, 1, b); }

bits128 real_bits_apply(const struct node *n, unsigned of, bits128 x, bits128 y) {
  switch ((int)n->op) {
    case EXPR_REAL_ADD:
      return real_add(x, y, of);
    case EXPR_REAL_MUL:
      return real_multiply(x, y, of);
    case EXPR_REAL_DIV:
      return real_divide(x, y, of);
    case EXPR_REAL_SQRT:
      return real_root(x, of);
    case EXPR_REAL_ROUND:
      return real_round(x, of, (enum real_mode)n->args[1]);
    case EXPR_REAL_CONVERT:
      return real_convert(x, of, n->width);
    case EXPR_REAL_TO_SIGNED:
      return real_to_signed(x, of);
  }
  return real_from_integer(x, of, n->op == EXPR_REAL_FROM_SIGNED, n->width);
}

static struct expr made(struct value_pool *p, struct node n) {
  struct expr folded;
  return node_fold(p, &n, &folded) ? folded : (struct expr){node_make(p, (enum expr_op)n.op, n.width, n.args)};
}

static struct expr unary(struct value_pool *p, enum expr_op op, unsigned width, struct expr x, uint32_t mode) {
  return made(p, (struct node){.op = (uint8_t)op, .width = (uint8_t)width, .args = {x.id, mode}});
}

static struct expr binary(struct value_pool *p, enum expr_op op, struct expr x, struct expr y) {
  bool swaps = op != EXPR_REAL_DIV && goes_second(p, x, y);
  return made(p, (struct node){.op = (uint8_t)op, .width = (uint8_t)expr_width(p, x), .args = {swaps ? y.id : x.id, swaps ? x.id : y.id}});
}

/* x, or the NaN that an operator gives */
static struct expr same(struct value_pool *p, struct expr x) {
  unsigned w = expr_width(p, x);
  return expr_ite(p, real_expr_is_nan(p, x), expr_constant(p, w, real_nan(w)), x);
}

struct expr real_expr_add(struct value_pool *p, struct expr x, struct expr y) {
  return binary(p, EXPR_REAL_ADD, x, y);
}

struct expr real_expr_multiply(struct value_pool *p, struct expr x, struct expr y) {
  bits128 c;
  unsigned w = expr_width(p, x);
  if (expr_is_constant(p, y, &c) && c == real_bits(1, w)) return same(p, x);
  if (expr_is_constant(p, x, &c) && c == real_bits(1, w)) return same(p, y);
  return binary(p, EXPR_REAL_MUL, x, y);
}

/* By a power of two is by its inverse, if that is one. */
struct expr real_expr_divide(struct value_pool *p, struct expr x, struct expr y) {
  unsigned w = expr_width(p, x), s = real_format(w).significand;
  bits128 c;
  if (!expr_is_constant(p, y, &c) || bits_trim(c, s - 1) != 0) return binary(p, EXPR_REAL_DIV, x, y);
  bits128 inverse = real_divide(real_bits(1, w), c, w), field = bits_extract(c, s - 1, w - s),
          of_inverse = bits_extract(inverse, s - 1, w - s);
  bool normal = field != 0 && of_inverse != 0 && of_inverse != bits_ones(w - s);
  return normal ? real_expr_multiply(p, x, expr_constant(p, w, inverse)) : binary(p, EXPR_REAL_DIV, x, y);
}

struct expr real_expr_root(struct value_pool *p, struct expr x) {
  return unary(p, EXPR_REAL_SQRT, expr_width(p, x), x, 0);
}

struct expr real_expr_round(struct value_pool *p, enum real_mode mode, struct expr x) {
  return unary(p, EXPR_REAL_ROUND, expr_width(p, x), x, mode);
}

struct expr real_expr_convert(struct value_pool *p, struct expr x, unsigned width) {
  if (width == expr_width(p, x)) return same(p, x);
  if (width == 32 && expr_op(p, x) == EXPR_REAL_CONVERT) return same(p, operand(p, x, 0)); /* there and back */
  return unary(p, EXPR_REAL_CONVERT, width, x, 0);
}

/* An integer that the significand holds comes back as it was. */
struct expr real_expr_to_signed(struct value_pool *p, struct expr x) {
  enum expr_op op = expr_op(p, x);
  bool is_signed = op == EXPR_REAL_FROM_SIGNED;
  if (is_signed || op == EXPR_REAL_FROM_UNSIGNED) {
    struct expr integer = operand(p, x, 0);
    unsigned of = expr_width(p, integer), s = real_format(expr_width(p, x)).significand;
    if (of <= s) return is_signed ? expr_sext(p, integer, 64) : expr_zext(p, integer, 64);
  }
  return unary(p, EXPR_REAL_TO_SIGNED, 64, x, 0);
}

struct expr real_expr_to_unsigned(struct value_pool *p, struct expr x) {
  unsigned w = expr_width(p, x), s = real_format(w).significand;
  /* 2^63 and up, below 2^64: one exponent, without a sign */
  bits128 upper = real_bits(0x1p63, w) >> (s - 1);
  struct expr is_large = expr_binary(p, EXPR_EQ, expr_extract(p, x, s - 1, w - s + 1), expr_constant(p, w - s + 1, upper));
  struct expr significand = expr_concat(p, flag(p, true), expr_extract(p, x, 0, s - 1));
  struct expr large = expr_concat(p, significand, expr_constant(p, 64 - s, 0));
  return expr_ite(p, is_large, large, real_expr_to_signed(p, x));
}

/* What was widened is known to be small, or not negative. */
struct expr real_expr_from_integer(struct value_pool *p, bool is_signed, struct expr x, unsigned width) {
  enum expr_op op = expr_op(p, x);
  if (op == EXPR_ZEXT || (op == EXPR_SEXT && is_signed)) return real_expr_from_integer(p, op == EXPR_SEXT, operand(p, x, 0), width);
  return unary(p, is_signed ? EXPR_REAL_FROM_SIGNED : EXPR_REAL_FROM_UNSIGNED, width, x, 0);
}

struct expr real_expr_rebuilt(struct value_pool *p, const struct node *n, struct expr x, struct expr y) {
  switch ((int)n->op) {
    case EXPR_REAL_ADD:
      return real_expr_add(p, x, y);
    case EXPR_REAL_MUL:
      return real_expr_multiply(p, x, y);
    case EXPR_REAL_DIV:
      return real_expr_divide(p, x, y);
    case EXPR_REAL_SQRT:
      return real_expr_root(p, x);
    case EXPR_REAL_ROUND:
      return real_expr_round(p, (enum real_mode)n->args[1], x);
    case EXPR_REAL_CONVERT:
      return real_expr_convert(p, x, n->width);
    case EXPR_REAL_TO_SIGNED:
      return real_expr_to_signed(p, x);
  }
  return real_expr_from_integer(p, n->op == EXPR_REAL_FROM_SIGNED, x, n->width);
}

/* --- of bits --- */

static struct expr sign_of(struct value_pool *p, struct expr x) { return expr_extract(p, x, expr_width(p, x) - 1, 1); }
static struct expr magnitude(struct value_pool *p, struct expr x) { return expr_extract(p, x, 0, expr_width(p, x) - 1); }

struct expr real_expr_negate(struct value_pool *p, struct expr x) {
  return expr_concat(p, expr_not(p, sign_of(p, x)), magnitude(p, x));
}

struct expr real_expr_absolute(struct value_pool *p, struct expr x) {
  return expr_zext(p, magnitude(p, x), expr_width(p, x));
}

struct expr real_expr_copy_sign(struct value_pool *p, struct expr x, struct expr sign) {
  return expr_concat(p, sign_of(p, sign), magnitude(p, x));
}

struct expr real_expr_is_nan(struct value_pool *p, struct expr x) {
  unsigned w = expr_width(p, x);
  enum expr_op op = expr_op(p, x);
  if (op == EXPR_REAL_FROM_SIGNED || op == EXPR_REAL_FROM_UNSIGNED) return flag(p, false);
  return expr_binary(p, EXPR_ULT, expr_constant(p, w - 1, real_infinity(w)), magnitude(p, x));
}

struct expr real_expr_unordered(struct value_pool *p, struct expr x, struct expr y) {
  return expr_binary(p, EXPR_OR, real_expr_is_nan(p, x), real_expr_is_nan(p, y));
}

static struct expr is_zero(struct value_pool *p, struct expr x) {
  return expr_binary(p, EXPR_EQ, magnitude(p, x), expr_constant(p, expr_width(p, x) - 1, 0));
}

static struct expr both_zero(struct value_pool *p, struct expr x, struct expr y) {
  return expr_binary(p, EXPR_AND, is_zero(p, x), is_zero(p, y));
}

/* If none is NaN. */
static struct expr number_less(struct value_pool *p, struct expr x, struct expr y) {
  struct expr of_negative = expr_ite(p, sign_of(p, y), expr_binary(p, EXPR_ULT, y, x), expr_not(p, both_zero(p, x, y)));
  struct expr of_positive = expr_ite(p, sign_of(p, y), flag(p, false), expr_binary(p, EXPR_ULT, x, y));
  return expr_ite(p, sign_of(p, x), of_negative, of_positive);
}

static struct expr if_ordered(struct value_pool *p, struct expr x, struct expr y, struct expr is) {
  return expr_binary(p, EXPR_AND, expr_not(p, real_expr_unordered(p, x, y)), is);
}

struct expr real_expr_equal(struct value_pool *p, struct expr x, struct expr y) {
  return if_ordered(p, x, y, expr_binary(p, EXPR_OR, expr_binary(p, EXPR_EQ, x, y), both_zero(p, x, y)));
}

struct expr real_expr_less(struct value_pool *p, struct expr x, struct expr y) {
  return if_ordered(p, x, y, number_less(p, x, y));
}

struct expr real_expr_less_equal(struct value_pool *p, struct expr x, struct expr y) {
  return if_ordered(p, x, y, expr_not(p, number_less(p, y, x)));
}
