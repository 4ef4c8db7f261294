/* Intrinsic functions of the compiler. */
#include "machine/symbolic/look.h"

static struct expr absolute(const struct look *l, struct expr x, unsigned width) {
  struct expr negative = expr_binary(pool_of(l), EXPR_SLT, x, expr_constant(pool_of(l), width, 0));
  return expr_ite(pool_of(l), negative, expr_neg(pool_of(l), x), x);
}

/* --- bits --- */

enum { COUNTED_BITS = 8 }; /* of a number of bits, up to 128 */

static struct expr counted(struct value_pool *p, unsigned n) { return expr_constant(p, COUNTED_BITS, n); }
static struct expr bit(struct value_pool *p, struct expr x, unsigned i) { return expr_extract(p, x, i, 1); }

/* How many of the `n` bits from `low` on are 1. */
static struct expr ones(struct value_pool *p, struct expr x, unsigned low, unsigned n) {
  if (n == 1) return expr_zext(p, bit(p, x, low), COUNTED_BITS);
  return expr_binary(p, EXPR_ADD, ones(p, x, low, n / 2), ones(p, x, low + n / 2, n - n / 2));
}

/* How many zeros are before the first 1, from the lowest bit on, or from the highest. */
static struct expr zeros(struct value_pool *p, struct expr x, bool from_low) {
  unsigned width = expr_width(p, x);
  struct expr n = counted(p, width);
  for (unsigned zero = width; zero-- > 0;) n = expr_ite(p, bit(p, x, from_low ? zero : width - 1 - zero), counted(p, zero), n);
  return n;
}

/* Parts of `unit` bits the other way round. */
static struct expr reversed(struct value_pool *p, struct expr x, unsigned unit) {
  unsigned width = expr_width(p, x);
  struct expr y = expr_extract(p, x, 0, unit);
  for (unsigned i = unit; i < width; i += unit) y = expr_concat(p, y, expr_extract(p, x, i, unit));
  return y;
}

/* The upper part of high:low moved to the left, or the lower one moved to the right, by z modulo the width. A shift by all bits is 0. */
static struct expr funnel(struct value_pool *p, bool left, struct expr high, struct expr below, struct expr z) {
  unsigned width = expr_width(p, high);
  struct expr all = expr_constant(p, width, width), n = expr_binary(p, EXPR_UREM, z, all), rest = expr_binary(p, EXPR_SUB, all, n);
  bits128 by;
  if (width == 1) return left ? high : below;
  if (expr_is_constant(p, n, &by)) {
    unsigned up = left ? (unsigned)by : width - (unsigned)by; /* bits that `high` loses */
    if (up == 0 || up == width) return up ? below : high;
    return expr_concat(p, expr_extract(p, high, 0, width - up), expr_extract(p, below, width - up, up));
  }
  struct expr moved = expr_binary(p, EXPR_SHL, high, left ? n : rest), come = expr_binary(p, EXPR_LSHR, below, left ? rest : n);
  return expr_binary(p, EXPR_OR, moved, come);
}

/* The result, or where it does not fit the nearest number that there is. */
static struct expr saturated(struct value_pool *p, enum expr_op op, bool is_signed, struct expr x, struct expr y) {
  unsigned width = expr_width(p, x);
  struct overflowing z = look_overflowing(p, op, is_signed, x, y);
  struct expr least = expr_constant(p, width, is_signed ? bits_min(width) : 0), most = expr_not(p, least);
  bool down = is_signed || op == EXPR_SUB, up = is_signed || op == EXPR_ADD;
  struct expr nearest = down && up ? expr_ite(p, bit(p, x, width - 1), least, most) : up ? most : least; /* x says which */
  return expr_ite(p, z.overflows, nearest, z.result);
}

/* --- all of them --- */

static unsigned operands_of(unsigned id) { return id == INTR_FSHL || id == INTR_FSHR ? 3 : id <= INTR_ABS ? 1 : 2; }

static struct expr of_bits(struct value_pool *p, unsigned id, const struct expr *x) {
  unsigned width = expr_width(p, x[0]);
  switch (id) {
    case INTR_CTPOP:
      return ones(p, x[0], 0, width);
    case INTR_CTLZ:
    case INTR_CTTZ:
      return zeros(p, x[0], id == INTR_CTTZ);
    case INTR_BSWAP:
    case INTR_BITREVERSE:
      return reversed(p, x[0], id == INTR_BSWAP ? 8 : 1);
    default:
      return funnel(p, id == INTR_FSHL, x[0], x[1], x[2]);
  }
}

static struct expr operand_of(const struct look *l, unsigned i) {
  unsigned width = l->ip->c;
  const uint16_t *slots = l->ip[2].slots + i * (width > 64 ? 2 : 1);
  if (width <= 64) return low(l, slot_expr(l, slots[0]), width);
  /* The halves may stand apart. */
  return expr_extract(pool_of(l), expr_concat(pool_of(l), slot_expr(l, slots[1]), slot_expr(l, slots[0])), 0, width);
}

/* Of as many bits, or a count, which has no more. */
static void put_result(const struct look *l, struct expr e) {
  if (l->ip->c <= 64)
    put(l, l->ip->a, e);
  else
    put_wide(l, l->ip->a, e);
}

/* Those that have an expression; others are fixed. */
void look_intrinsic(struct look *l) {
  const union insn *ip = l->ip;
  struct value_pool *p = pool_of(l);
  unsigned id = ip[1].lo, width = ip->c, n = operands_of(id), each = width > 64 ? 2 : 1;
  bool symbolic = false;
  if (look_real_intrinsic(l)) return;
  bool known = id <= INTR_USUB_SAT && width > 0 && width <= 128 && ip->b == n * each;
  for (unsigned i = 0; known && i < ip->b; i++) symbolic |= of_slot(l, ip[2].slots[i]) != 0;
  if (!symbolic) {
    look_fix_all(l);
    return;
  }
  struct expr x[3];
  for (unsigned i = 0; i < n; i++) x[i] = operand_of(l, i);
  if (id < INTR_ABS) {
    put_result(l, of_bits(p, id, x));
  } else if (id >= INTR_SADD_SAT) {
    unsigned which = id - INTR_SADD_SAT;
    put_result(l, saturated(p, which < 2 ? EXPR_ADD : EXPR_SUB, which % 2 == 0, x[0], x[1]));
  } else if (id >= INTR_SADD_OVERFLOW) {
    static const uint8_t operators[] = {EXPR_ADD, EXPR_ADD, EXPR_SUB, EXPR_SUB, EXPR_MUL, EXPR_MUL};
    unsigned which = id - INTR_SADD_OVERFLOW;
    struct overflowing z = look_overflowing(p, (enum expr_op)operators[which], which % 2 == 0, x[0], x[1]);
    put_result(l, z.result);
    put(l, ip->a + each, z.overflows);
  } else if (id == INTR_ABS) {
    put_result(l, absolute(l, x[0], width));
  } else {
    enum expr_op less = id == INTR_SMAX || id == INTR_SMIN ? EXPR_SLT : EXPR_ULT;
    put_result(l, symbolic_extreme(p, less, id == INTR_SMIN || id == INTR_UMIN, x[0], x[1]));
  }
}

_Static_assert(INTR_CTPOP == 0 && INTR_BITREVERSE + 1 == INTR_FSHL && INTR_FSHR + 1 == INTR_ABS && INTR_ABS + 1 == INTR_SMAX &&
                   INTR_UMIN + 1 == INTR_SADD_OVERFLOW && INTR_UMUL_OVERFLOW - INTR_SADD_OVERFLOW == 5 &&
                   INTR_UMUL_OVERFLOW + 1 == INTR_SADD_SAT && INTR_USUB_SAT - INTR_SADD_SAT == 3,
               "look_intrinsic() knows their order");
