/* Does the exact result of an operation fit? It is computed in more bits where an expression has them, else from its parts. */
#include "machine/symbolic/look.h"

static struct expr widened(struct value_pool *p, bool is_signed, struct expr x, unsigned width) {
  return is_signed ? expr_sext(p, x, width) : expr_zext(p, x, width);
}

/* A number's distance from 0 is at most 2 to the power of `bits`; `below`: less than that. */
struct bound {
  unsigned bits;
  bool below;
};

static struct bound bound_of(struct value_pool *p, bool is_signed, struct expr x) {
  unsigned width = expr_width(p, x), n = 0;
  bits128 value;
  if (expr_is_constant(p, x, &value)) {
    if (is_signed) value = bits_abs(value, width);
    while (n < width && value >> n) n++;
    return (struct bound){n, true};
  }
  if (expr_op(p, x) == EXPR_ZEXT || (is_signed && expr_op(p, x) == EXPR_SEXT)) {
    bool sign = expr_op(p, x) == EXPR_SEXT;
    return (struct bound){expr_width(p, expr_widened(p, x)) - sign, !sign};
  }
  return (struct bound){is_signed ? width - 1 : width, !is_signed};
}

/* Does the exact product of any two such numbers have a place in EXPR_MAX_WIDTH bits? */
static bool product_has_room(struct value_pool *p, bool is_signed, struct expr x, struct expr y) {
  struct bound a = bound_of(p, is_signed, x), b = bound_of(p, is_signed, y);
  unsigned bits = a.bits + b.bits, most = is_signed ? EXPR_MAX_WIDTH - 1 : EXPR_MAX_WIDTH;
  return bits < most || (bits == most && (a.below || b.below));
}

/* Of numbers without a sign, of EXPR_MAX_WIDTH bits. With x = a * 2^64 + b and y = c * 2^64 + d the product is
 * a * c * 2^128 + (a * d + c * b) * 2^64 + b * d, where, if a or c is 0, the second term is one product of 64 by 64 bits. */
static struct expr product_overflows(struct value_pool *p, struct expr x, struct expr y) {
  struct expr a = expr_extract(p, x, 64, 64), b = expr_extract(p, x, 0, 64), c = expr_extract(p, y, 64, 64), d = expr_extract(p, y, 0, 64);
  struct expr zero = expr_constant(p, 64, 0), a_is_0 = expr_binary(p, EXPR_EQ, a, zero), c_is_0 = expr_binary(p, EXPR_EQ, c, zero);
  struct expr high = expr_zext(p, expr_ite(p, a_is_0, c, a), 128), other = expr_zext(p, expr_ite(p, a_is_0, b, d), 128);
  struct expr low = expr_binary(p, EXPR_MUL, expr_zext(p, b, 128), expr_zext(p, d, 128));
  struct expr cross = expr_binary(p, EXPR_MUL, high, other), carried = expr_zext(p, expr_extract(p, low, 64, 64), 128);
  struct expr upper = expr_extract(p, expr_binary(p, EXPR_ADD, cross, carried), 64, 64); /* at most (2^64 - 1)^2 + 2^64 - 1: no carry */
  struct expr both = expr_not(p, expr_binary(p, EXPR_OR, a_is_0, c_is_0));
  return expr_binary(p, EXPR_OR, both, expr_not(p, expr_binary(p, EXPR_EQ, upper, zero)));
}

static struct expr sign_of(struct value_pool *p, struct expr x) { return expr_extract(p, x, expr_width(p, x) - 1, 1); }

static struct expr distance_from_zero(struct value_pool *p, struct expr x) {
  return expr_zext(p, expr_ite(p, sign_of(p, x), expr_neg(p, x), x), EXPR_MAX_WIDTH);
}

/* A product that has no room. */
static struct overflowing product(struct value_pool *p, bool is_signed, struct expr x, struct expr y) {
  unsigned width = expr_width(p, x);
  struct expr a = is_signed ? distance_from_zero(p, x) : expr_zext(p, x, EXPR_MAX_WIDTH);
  struct expr b = is_signed ? distance_from_zero(p, y) : expr_zext(p, y, EXPR_MAX_WIDTH);
  struct expr distance = expr_binary(p, EXPR_MUL, a, b), most = expr_constant(p, EXPR_MAX_WIDTH, bits_ones(width));
  if (is_signed) {
    struct expr negative = expr_binary(p, EXPR_XOR, sign_of(p, x), sign_of(p, y)),
                least = expr_constant(p, EXPR_MAX_WIDTH, bits_min(width));
    most = expr_ite(p, negative, least, expr_constant(p, EXPR_MAX_WIDTH, bits_min(width) - 1));
  }
  struct expr large = expr_binary(p, EXPR_ULT, most, distance);
  return (struct overflowing){expr_binary(p, EXPR_MUL, x, y), expr_binary(p, EXPR_OR, large, product_overflows(p, a, b))};
}

/* A sum or difference of EXPR_MAX_WIDTH bits. */
static struct overflowing sum(struct value_pool *p, enum expr_op op, bool is_signed, struct expr x, struct expr y) {
  struct expr z = expr_binary(p, op, x, y);
  if (!is_signed) return (struct overflowing){z, op == EXPR_ADD ? expr_binary(p, EXPR_ULT, z, x) : expr_binary(p, EXPR_ULT, x, y)};
  /* From x on it goes down if a negative number is added or another one subtracted; and it has done so, or not. */
  struct expr down = op == EXPR_ADD ? sign_of(p, y) : expr_binary(p, EXPR_SLT, expr_constant(p, EXPR_MAX_WIDTH, 0), y);
  return (struct overflowing){z, expr_binary(p, EXPR_XOR, down, expr_binary(p, EXPR_SLT, z, x))};
}

struct overflowing look_overflowing(struct value_pool *p, enum expr_op op, bool is_signed, struct expr x, struct expr y) {
  unsigned width = expr_width(p, x), enough = 2 * width < EXPR_MAX_WIDTH ? 2 * width : EXPR_MAX_WIDTH;
  if (2 * width > EXPR_MAX_WIDTH && op == EXPR_MUL && !product_has_room(p, is_signed, x, y)) return product(p, is_signed, x, y);
  if (width == EXPR_MAX_WIDTH && op != EXPR_MUL) return sum(p, op, is_signed, x, y);
  struct expr exact = expr_binary(p, op, widened(p, is_signed, x, enough), widened(p, is_signed, y, enough));
  struct expr result = expr_extract(p, exact, 0, width);
  return (struct overflowing){result, expr_not(p, expr_binary(p, EXPR_EQ, widened(p, is_signed, result, enough), exact))};
}
