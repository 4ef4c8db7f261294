/* Intrinsic functions of the compiler. */
#include "machine/symbolic/look.h"

static struct expr larger(const struct look *l, enum expr_op less, struct expr x, struct expr y) {
  return expr_ite(pool_of(l), expr_binary(pool_of(l), less, x, y), y, x);
}

static struct expr smaller(const struct look *l, enum expr_op less, struct expr x, struct expr y) {
  return expr_ite(pool_of(l), expr_binary(pool_of(l), less, x, y), x, y);
}

static struct expr absolute(const struct look *l, struct expr x, unsigned width) {
  struct expr negative = expr_binary(pool_of(l), EXPR_SLT, x, expr_constant(pool_of(l), width, 0));
  return expr_ite(pool_of(l), negative, expr_neg(pool_of(l), x), x);
}

/* The result, and in the next slot whether it did not fit: computed in twice the bits. */
static void overflowing(const struct look *l, enum expr_op op, bool is_signed, const struct expr x[2], unsigned width) {
  struct value_pool *p = pool_of(l);
  struct expr wide[2];
  for (unsigned i = 0; i < 2; i++) wide[i] = is_signed ? expr_sext(p, x[i], 2 * width) : expr_zext(p, x[i], 2 * width);
  struct expr exact = expr_binary(p, op, wide[0], wide[1]), result = expr_extract(p, exact, 0, width);
  struct expr fits = expr_binary(p, EXPR_EQ, is_signed ? expr_sext(p, result, 2 * width) : expr_zext(p, result, 2 * width), exact);
  put(l, l->ip->a, result);
  put(l, l->ip->a + 1u, expr_not(p, fits));
}

/* Those that have an expression; others are fixed. */
void look_intrinsic(struct look *l) {
  const union insn *ip = l->ip;
  unsigned id = ip[1].lo, width = ip->c;
  bool unary = id == INTR_ABS, known = is_between(id, INTR_ABS, INTR_UMUL_OVERFLOW);
  uint32_t first = ip[2].slots[0], second = ip[2].slots[unary ? 0 : 1];
  if (look_real_intrinsic(l)) return;
  if (!known || width == 0 || width > 64 || ip->b != 2 || !reads_any(l, first, second)) {
    look_fix_all(l);
    return;
  }
  const struct expr x[2] = {low(l, slot_expr(l, first), width), low(l, slot_expr(l, second), width)};
  if (id >= INTR_SADD_OVERFLOW) {
    static const uint8_t operators[] = {EXPR_ADD, EXPR_ADD, EXPR_SUB, EXPR_SUB, EXPR_MUL, EXPR_MUL};
    overflowing(l, (enum expr_op)operators[id - INTR_SADD_OVERFLOW], (id - INTR_SADD_OVERFLOW) % 2 == 0, x, width);
  } else if (id == INTR_ABS) {
    put(l, ip->a, absolute(l, x[0], width));
  } else {
    enum expr_op less = id == INTR_SMAX || id == INTR_SMIN ? EXPR_SLT : EXPR_ULT;
    bool greatest = id == INTR_SMAX || id == INTR_UMAX;
    put(l, ip->a, greatest ? larger(l, less, x[0], x[1]) : smaller(l, less, x[0], x[1]));
  }
}

_Static_assert(INTR_ABS + 1 == INTR_SMAX && INTR_UMIN + 1 == INTR_SADD_OVERFLOW && INTR_UMUL_OVERFLOW - INTR_SADD_OVERFLOW == 5,
               "look_intrinsic() knows their order");
