/* Floating point: floats and doubles.
 *
 * Operators of expressions give one NaN (value/real_bits.h); what the machine gives has to do with the operands' (interpret/real.h), which
 * is a choice around the operator here. */
#include <string.h>

#include "machine/symbolic/look.h"
#include "value/real.h"

static struct expr real_of(const struct look *l, uint32_t slot, unsigned width) { return low(l, slot_expr(l, slot), width); }

static struct expr as_quiet(struct value_pool *p, struct expr x) {
  unsigned w = expr_width(p, x);
  return expr_binary(p, EXPR_OR, x, expr_constant(p, w, real_quiet(w)));
}

/* The result, unless x is NaN. */
static struct expr unless_nan(struct value_pool *p, struct expr x, struct expr result) {
  return expr_ite(p, real_expr_is_nan(p, x), as_quiet(p, x), result);
}

static void arithmetic(const struct look *l, unsigned op, unsigned width) {
  struct value_pool *p = pool_of(l);
  struct expr x = real_of(l, l->ip->b, width), y = real_of(l, l->ip->c, width), z;
  switch (op) {
    case OP_FADD:
      z = real_expr_add(p, x, y);
      break;
    case OP_FSUB:
      z = real_expr_add(p, x, real_expr_negate(p, y));
      break;
    case OP_FMUL:
      z = real_expr_multiply(p, x, y);
      break;
    default:
      z = real_expr_divide(p, x, y);
  }
  put(l, l->ip->a, unless_nan(p, x, unless_nan(p, y, z)));
}

_Static_assert(OP_FDIV - OP_FADD == 3 && OP_FUNO - OP_FOEQ == 9 && OP_GADD - OP_FADD == OP_GNEG - OP_FNEG && OP_GUNO - OP_FUNO == 10,
               "look_real() knows their order");

/* `op` is that of floats. */
static struct expr comparison(struct value_pool *p, unsigned op, struct expr x, struct expr y) {
  switch (op) {
    case OP_FOEQ:
      return real_expr_equal(p, x, y);
    case OP_FUNE:
      return expr_not(p, real_expr_equal(p, x, y));
    case OP_FUEQ:
      return expr_binary(p, EXPR_OR, real_expr_unordered(p, x, y), real_expr_equal(p, x, y));
    case OP_FONE:
      return expr_not(p, expr_binary(p, EXPR_OR, real_expr_unordered(p, x, y), real_expr_equal(p, x, y)));
    case OP_FOLT:
      return real_expr_less(p, x, y);
    case OP_FOLE:
      return real_expr_less_equal(p, x, y);
    case OP_FULT:
      return expr_not(p, real_expr_less_equal(p, y, x));
    case OP_FULE:
      return expr_not(p, real_expr_less(p, y, x));
    case OP_FORD:
      return expr_not(p, real_expr_unordered(p, x, y));
    default:
      return real_expr_unordered(p, x, y);
  }
}

/* A NaN's bits stay at the upper end of the significand. */
static struct expr converted(struct value_pool *p, struct expr x, unsigned width) {
  unsigned of = expr_width(p, x), s = real_format(of).significand - 2, t = real_format(width).significand - 2;
  struct expr payload = t > s ? expr_concat(p, expr_extract(p, x, 0, s), expr_constant(p, t - s, 0)) : expr_extract(p, x, s - t, t);
  struct expr upper = expr_constant(p, width - t - 1, bits_ones(width - t - 1)); /* the exponent, and that it is quiet */
  struct expr nan = expr_concat(p, expr_extract(p, x, of - 1, 1), expr_concat(p, upper, payload));
  return expr_ite(p, real_expr_is_nan(p, x), nan, real_expr_convert(p, x, width));
}

static void to_integer(const struct look *l, bool is_signed, unsigned width) {
  struct expr x = real_of(l, l->ip->b, width);
  put(l, l->ip->a, low(l, is_signed ? real_expr_to_signed(pool_of(l), x) : real_expr_to_unsigned(pool_of(l), x), l->ip->c));
}

static void from_integer(const struct look *l, bool is_signed, unsigned width) {
  put(l, l->ip->a, real_expr_from_integer(pool_of(l), is_signed, slot_expr(l, l->ip->b), width));
}

/* Of one operand, which is symbolic. */
static bool unary(const struct look *l) {
  switch (l->ip->op) {
    case OP_FNEG:
    case OP_GNEG:
      put(l, l->ip->a, real_expr_negate(pool_of(l), real_of(l, l->ip->b, l->ip->op == OP_FNEG ? 32 : 64)));
      return true;
    case OP_F2G:
    case OP_G2F:
      put(l, l->ip->a, converted(pool_of(l), real_of(l, l->ip->b, l->ip->op == OP_F2G ? 32 : 64), l->ip->op == OP_F2G ? 64 : 32));
      return true;
    case OP_F2S:
    case OP_F2U:
      to_integer(l, l->ip->op == OP_F2S, 32);
      return true;
    case OP_G2S:
    case OP_G2U:
      to_integer(l, l->ip->op == OP_G2S, 64);
      return true;
    case OP_S2F:
    case OP_U2F:
      from_integer(l, l->ip->op == OP_S2F, 32);
      return true;
    case OP_S2G:
    case OP_U2G:
      from_integer(l, l->ip->op == OP_S2G, 64);
      return true;
    default:
      return false;
  }
}

bool look_real(struct look *l) {
  const union insn *ip = l->ip;
  unsigned op = ip->op;
  bool arithmetic_of_floats = is_between(op, OP_FADD, OP_FDIV), comparison_of_floats = is_between(op, OP_FOEQ, OP_FUNO);
  bool computes = arithmetic_of_floats || is_between(op, OP_GADD, OP_GDIV),
       compares = comparison_of_floats || is_between(op, OP_GOEQ, OP_GUNO);
  struct value_pool *p = pool_of(l);
  unsigned width = arithmetic_of_floats || comparison_of_floats ? 32 : 64; /* of both operands */
  bool converts = is_between(op, OP_F2G, OP_U2G) || op == OP_FNEG || op == OP_GNEG;
  if (!computes && !compares && !converts) return false;
  if (!(converts ? of_slot(l, ip->b) != 0 : reads_any(l, ip->b, ip->c)))
    set_slot(l, ip->a, 0);
  else if (computes)
    arithmetic(l, arithmetic_of_floats ? op : op - OP_GADD + OP_FADD, width);
  else if (compares)
    look_compared(l, comparison(p, comparison_of_floats ? op : op - OP_GOEQ + OP_FOEQ, real_of(l, ip->b, width), real_of(l, ip->c, width)));
  else
    return unary(l);
  return true;
}

/* --- intrinsic functions --- */

/* One of llvm.is.fpclass's classes? `mask` has a bit for each. */
static struct expr is_class(struct value_pool *p, struct expr x, uint64_t mask) {
  unsigned w = expr_width(p, x), s = real_format(w).significand;
  struct expr field = expr_extract(p, x, s - 1, w - s), fraction = expr_extract(p, x, 0, s - 1), none = expr_constant(p, 1, 0);
  struct expr negative = expr_extract(p, x, w - 1, 1), positive = expr_not(p, negative);
  struct expr least = expr_binary(p, EXPR_EQ, field, expr_constant(p, w - s, 0));
  struct expr most = expr_binary(p, EXPR_EQ, field, expr_constant(p, w - s, bits_ones(w - s)));
  struct expr whole = expr_binary(p, EXPR_EQ, fraction, expr_constant(p, s - 1, 0)), broken = expr_not(p, whole);
  const struct expr kinds[] = {
      expr_binary(p, EXPR_AND, most, whole),             /* infinite */
      expr_not(p, expr_binary(p, EXPR_OR, least, most)), /* normal */
      expr_binary(p, EXPR_AND, least, broken),           /* subnormal */
      expr_binary(p, EXPR_AND, least, whole),            /* zero */
  };
  struct expr is = mask & 3 ? real_expr_is_nan(p, x) : none; /* the machine tells quiet ones from others by nothing */
  for (unsigned i = 0; i < 4; i++) {
    struct expr below = mask >> (2 + i) & 1 ? negative : none, above = mask >> (9 - i) & 1 ? positive : none;
    is = expr_binary(p, EXPR_OR, is, expr_binary(p, EXPR_AND, kinds[i], expr_binary(p, EXPR_OR, below, above)));
  }
  return is;
}

/* The mode by which it comes to an integer. */
static bool rounds(unsigned id, enum real_mode *mode) {
  switch (id) {
    case INTR_FLOOR:
      return *mode = REAL_DOWN, true;
    case INTR_CEIL:
      return *mode = REAL_UP, true;
    case INTR_FTRUNC:
      return *mode = REAL_ZERO, true;
    case INTR_RINT:
    case INTR_NEARBYINT:
    case INTR_ROUNDEVEN:
    case INTR_LRINT:
    case INTR_LLRINT:
      return *mode = REAL_EVEN, true;
    case INTR_ROUND:
    case INTR_LROUND:
    case INTR_LLROUND:
      return *mode = REAL_AWAY, true;
    default:
      return false;
  }
}

/* The smaller, or the larger: the one that is no NaN; the second if they are equal. */
static struct expr extreme(struct value_pool *p, bool least, struct expr x, struct expr y) {
  struct expr first = least ? real_expr_less(p, x, y) : real_expr_less(p, y, x);
  return expr_ite(p, real_expr_is_nan(p, x), y, expr_ite(p, real_expr_is_nan(p, y), x, expr_ite(p, first, x, y)));
}

bool look_real_intrinsic(struct look *l) {
  const union insn *ip = l->ip;
  struct value_pool *p = pool_of(l);
  unsigned id = ip[1].lo, width = ip->c;
  enum real_mode mode = REAL_EVEN;
  bool rounding = rounds(id, &mode), binary = id == INTR_COPYSIGN || id == INTR_MINNUM || id == INTR_MAXNUM;
  if (!rounding && !binary && id != INTR_SQRT && id != INTR_FABS && id != INTR_FPCLASS) return false;
  uint32_t first = ip[2].slots[0], second = ip[2].slots[binary ? 1 : 0];
  if ((width != 32 && width != 64) || (id == INTR_FPCLASS && of_slot(l, ip[2].slots[1]))) return false;
  if (!reads_any(l, first, second)) {
    set_slot(l, ip->a, 0);
    return true;
  }
  struct expr x = real_of(l, first, width), y = real_of(l, second, width);
  if (rounding && id >= INTR_LROUND)
    put(l, ip->a, real_expr_to_signed(p, real_expr_round(p, mode, x)));
  else if (rounding)
    put(l, ip->a, unless_nan(p, x, real_expr_round(p, mode, x)));
  else if (id == INTR_SQRT)
    put(l, ip->a, unless_nan(p, x, real_expr_root(p, x)));
  else if (id == INTR_FABS)
    put(l, ip->a, real_expr_absolute(p, x));
  else if (id == INTR_COPYSIGN)
    put(l, ip->a, real_expr_copy_sign(p, x, y));
  else if (id == INTR_FPCLASS)
    put(l, ip->a, is_class(p, x, l->r[ip[2].slots[1]]));
  else
    put(l, ip->a, extreme(p, id == INTR_MINNUM, x, y));
  return true;
}

/* sqrt(), which compilers call since it sets errno for numbers below 0: that decides. Of these the result is one NaN. */
bool look_real_call(struct look *l, const char *name) {
  struct value_pool *p = pool_of(l);
  unsigned width = strcmp(name, "sqrt") == 0 ? 64 : strcmp(name, "sqrtf") == 0 ? 32 : 0;
  if (!width) return false;
  struct expr x = real_of(l, l->ip[2].slots[0], width);
  if (symbolic_decided(l->m->symbolic, real_expr_less(p, x, expr_constant(p, width, 0)), DECIDED)) return true;
  struct expr root = expr_zext(p, unless_nan(p, x, real_expr_root(p, x)), 64);
  bits128 value;
  if (!expr_is_constant(p, root, &value)) l->m->symbolic->returned[0] = root.id + 1u;
  return true;
}
