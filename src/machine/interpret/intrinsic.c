#include "machine/interpret/intrinsic.h"

#include <math.h>

#include "machine/interpret/real.h"

uint64_t to_signed(long double x) { return x >= -9223372036854775808.0L && x < 9223372036854775808.0L ? (uint64_t)(int64_t)x : 1ull << 63; }

uint64_t to_unsigned(long double x) {
  if (x > -1 && x < 18446744073709551616.0L) return (uint64_t)x;
  return to_signed(x);
}

bool real_compare(long double x, long double y, unsigned predicate) {
  bool unordered = __builtin_isunordered(x, y);
  /* bits of the predicate: 1 equal, 2 greater, 4 less, 8 unordered */
  return unordered ? predicate & 8 : x == y ? predicate & 1 : x > y ? predicate & 2 : predicate & 4;
}

void wide_convert(enum wide_conversion kind, uint64_t *to, const uint64_t *from) {
  u128 x;
  switch (kind) {
    case CONV_W2F:
      to[0] = float_slot((float)(i128)slots_wide(from));
      return;
    case CONV_W2G:
      to[0] = double_slot((double)(i128)slots_wide(from));
      return;
    case CONV_W2X:
      fp80_slots(to, (long double)(i128)slots_wide(from));
      return;
    case CONV_V2F:
      to[0] = float_slot((float)slots_wide(from));
      return;
    case CONV_V2G:
      to[0] = double_slot((double)slots_wide(from));
      return;
    case CONV_V2X:
      fp80_slots(to, (long double)slots_wide(from));
      return;
    case CONV_F2W:
      x = (u128)(i128)slot_float(from[0]);
      break;
    case CONV_G2W:
      x = (u128)(i128)slot_double(from[0]);
      break;
    case CONV_X2W:
      x = (u128)(i128)slots_fp80(from);
      break;
    case CONV_F2V:
      x = (u128)slot_float(from[0]);
      break;
    case CONV_G2V:
      x = (u128)slot_double(from[0]);
      break;
    case CONV_X2V:
      x = (u128)slots_fp80(from);
      break;
    default:
      return;
  }
  wide_slots(to, x);
}

/* --- integers, up to 128 bits wide --- */

static u128 mask_of(unsigned width) { return width >= 128 ? ~(u128)0 : ((u128)1 << width) - 1; }
static i128 sign_of(u128 x, unsigned width) { return (i128)(x << (128 - width)) >> (128 - width); }

static unsigned count_ones(u128 x) { return (unsigned)(__builtin_popcountll((uint64_t)x) + __builtin_popcountll((uint64_t)(x >> 64))); }

static unsigned leading_zeros(u128 x, unsigned width) {
  unsigned n = 0;
  while (n < width && !(x >> (width - 1 - n) & 1)) n++;
  return n;
}

static unsigned trailing_zeros(u128 x, unsigned width) {
  unsigned n = 0;
  while (n < width && !(x >> n & 1)) n++;
  return n;
}

static u128 reverse(u128 x, unsigned width, unsigned unit) {
  u128 y = 0;
  for (unsigned i = 0; i < width; i += unit) y = y << unit | (x >> i & mask_of(unit));
  return y;
}

static u128 funnel(u128 high, u128 low, u128 amount, unsigned width, bool left) {
  unsigned n = (unsigned)(amount % width);
  if (n == 0) return left ? high : low;
  return left ? high << n | low >> (width - n) : high << (width - n) | low >> n;
}

/* Exact result of x op y in the given width, and whether it overflowed. op: '+', '-', '*', '<' */
static u128 exact(char op, u128 x, u128 y, unsigned width, bool is_signed, bool *overflow) {
  u128 z = 0;
  if (is_signed) {
    i128 a = sign_of(x, width), b = sign_of(y, width), c = 0;
    bool o = false;
    if (op == '+') o = __builtin_add_overflow(a, b, &c);
    if (op == '-') o = __builtin_sub_overflow(a, b, &c);
    if (op == '*') o = __builtin_mul_overflow(a, b, &c);
    if (op == '<') c = (i128)((u128)a << y), o = sign_of((u128)c & mask_of(width), width) >> y != a;
    z = (u128)c & mask_of(width);
    *overflow = o || sign_of(z, width) != c;
  } else {
    bool o = false;
    if (op == '+') o = __builtin_add_overflow(x, y, &z);
    if (op == '-') o = __builtin_sub_overflow(x, y, &z);
    if (op == '*') o = __builtin_mul_overflow(x, y, &z);
    if (op == '<') z = x << y, o = (z & mask_of(width)) >> y != x;
    *overflow = o || z != (z & mask_of(width));
  }
  return z & mask_of(width);
}

static u128 saturated(char op, u128 x, u128 y, unsigned width, bool is_signed) {
  bool overflow;
  u128 z = exact(op, x, y, width, is_signed, &overflow);
  if (!overflow) return z;
  u128 largest = is_signed ? mask_of(width) >> 1 : mask_of(width);
  if (!is_signed) return op == '-' ? 0 : largest;
  bool negative = sign_of(x, width) < 0;
  if (op == '*') negative ^= sign_of(y, width) < 0;
  return negative ? largest + 1 : largest;
}

static u128 to_integer_saturated(long double x, unsigned width, bool is_signed) {
  long double limit = ldexpl(1, (int)width - (is_signed ? 1 : 0));
  if (isnan(x)) return 0;
  if (x >= limit) return is_signed ? mask_of(width) >> 1 : mask_of(width);
  if (is_signed && x < -limit) return (u128)1 << (width - 1);
  if (!is_signed && x <= -1) return 0;
  return (is_signed ? (u128)(i128)x : (u128)x) & mask_of(width);
}

struct operands {
  u128 x, y, z;
  long double fx; /* first operand of the conversions */
};

/* False if `id` is no integer intrinsic. *extra: the overflow bit, -1 for none. */
static bool integer_intrinsic(enum intrinsic id, const struct operands *o, unsigned width, u128 *result, int *extra) {
  u128 x = o->x, y = o->y;
  i128 sx = sign_of(x, width), sy = sign_of(y, width);
  bool overflow = false, has_overflow = false;
#define OVERFLOWING(op, is_signed) (has_overflow = true, exact(op, x, y, width, is_signed, &overflow))
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wswitch-enum"
  switch (id) {
    case INTR_CTPOP:
      *result = count_ones(x);
      break;
    case INTR_CTLZ:
      *result = leading_zeros(x, width);
      break;
    case INTR_CTTZ:
      *result = trailing_zeros(x, width);
      break;
    case INTR_BSWAP:
      *result = reverse(x, width, 8);
      break;
    case INTR_BITREVERSE:
      *result = reverse(x, width, 1);
      break;
    case INTR_FSHL:
      *result = funnel(x, y, o->z, width, true);
      break;
    case INTR_FSHR:
      *result = funnel(x, y, o->z, width, false);
      break;
    case INTR_ABS:
      *result = sx < 0 ? (u128)-sx : x;
      break;
    case INTR_SMAX:
      *result = sx > sy ? x : y;
      break;
    case INTR_SMIN:
      *result = sx < sy ? x : y;
      break;
    case INTR_UMAX:
      *result = x > y ? x : y;
      break;
    case INTR_UMIN:
      *result = x < y ? x : y;
      break;
    case INTR_SADD_OVERFLOW:
      *result = OVERFLOWING('+', true);
      break;
    case INTR_UADD_OVERFLOW:
      *result = OVERFLOWING('+', false);
      break;
    case INTR_SSUB_OVERFLOW:
      *result = OVERFLOWING('-', true);
      break;
    case INTR_USUB_OVERFLOW:
      *result = OVERFLOWING('-', false);
      break;
    case INTR_SMUL_OVERFLOW:
      *result = OVERFLOWING('*', true);
      break;
    case INTR_UMUL_OVERFLOW:
      *result = OVERFLOWING('*', false);
      break;
    case INTR_SADD_SAT:
      *result = saturated('+', x, y, width, true);
      break;
    case INTR_UADD_SAT:
      *result = saturated('+', x, y, width, false);
      break;
    case INTR_SSUB_SAT:
      *result = saturated('-', x, y, width, true);
      break;
    case INTR_USUB_SAT:
      *result = saturated('-', x, y, width, false);
      break;
    case INTR_SSHL_SAT:
      *result = saturated('<', x, y, width, true);
      break;
    case INTR_USHL_SAT:
      *result = saturated('<', x, y, width, false);
      break;
    case INTR_FPTOSI_SAT_F:
    case INTR_FPTOSI_SAT_G:
    case INTR_FPTOSI_SAT_X:
      *result = to_integer_saturated(o->fx, width, true);
      break;
    case INTR_FPTOUI_SAT_F:
    case INTR_FPTOUI_SAT_G:
    case INTR_FPTOUI_SAT_X:
      *result = to_integer_saturated(o->fx, width, false);
      break;
    default:
      return false;
  }
#pragma GCC diagnostic pop
  *result &= mask_of(width);
  *extra = has_overflow ? overflow : -1;
  return true;
}

/* --- floating point --- */

#define MATH_FUNCTIONS(X, s) \
  X(SQRT, sqrt##s)           \
  X(FABS, fabs##s)           \
  X(FLOOR, floor##s)         \
  X(CEIL, ceil##s)           \
  X(FTRUNC, trunc##s)        \
  X(RINT, rint##s)           \
  X(NEARBYINT, nearbyint##s) \
  X(ROUND, round##s)         \
  X(ROUNDEVEN, roundeven##s) \
  X(SIN, sin##s)             \
  X(COS, cos##s) X(TAN, tan##s) X(EXP, exp##s) X(EXP2, exp2##s) X(EXP10, exp10##s) X(LOG, log##s) X(LOG2, log2##s) X(LOG10, log10##s)

#define DEFINE_MATH(type, s, suffix)                                                              \
  static bool math_##suffix(enum intrinsic id, type x, type y, type z, int64_t n, type *result) { \
    switch ((int)id) {                                                                            \
      MATH_FUNCTIONS(ONE_ARGUMENT, s)                                                             \
      case INTR_COPYSIGN:                                                                         \
        *result = copysign##s(x, y);                                                              \
        return true;                                                                              \
      case INTR_FMA:                                                                              \
        *result = fma##s(x, y, z);                                                                \
        return true;                                                                              \
      case INTR_FMULADD: {                                                                        \
        type product = x * y;                                                                     \
        __asm__("" : "+m"(product));                                                              \
        *result = product + z;                                                                    \
        return true;                                                                              \
      }                                                                                           \
      case INTR_MINNUM:                                                                           \
        *result = isnan(x) ? y : isnan(y) || x < y ? x : y;                                       \
        return true;                                                                              \
      case INTR_MAXNUM:                                                                           \
        *result = isnan(x) ? y : isnan(y) || x > y ? x : y;                                       \
        return true;                                                                              \
      case INTR_MINIMUM:                                                                          \
        *result = isnan(x) || isnan(y) ? x + y : fmin##s(x, y);                                   \
        return true;                                                                              \
      case INTR_MAXIMUM:                                                                          \
        *result = isnan(x) || isnan(y) ? x + y : fmax##s(x, y);                                   \
        return true;                                                                              \
      case INTR_POW:                                                                              \
        *result = pow##s(x, y);                                                                   \
        return true;                                                                              \
      case INTR_POWI:                                                                             \
        *result = __builtin_powi##s(x, (int)n);                                                   \
        return true;                                                                              \
      case INTR_LDEXP:                                                                            \
        *result = ldexp##s(x, (int)n);                                                            \
        return true;                                                                              \
      default:                                                                                    \
        return false;                                                                             \
    }                                                                                             \
  }
#define ONE_ARGUMENT(id, function) \
  case INTR_##id:                  \
    *result = function(x);         \
    return true;
/* clang-format off */
DEFINE_MATH(float, f, float)
DEFINE_MATH(double, , double)
DEFINE_MATH(long double, l, fp80)
/* clang-format on */

static uint64_t classify(long double x, uint64_t mask) {
  bool negative = signbit(x);
  int kind = fpclassify(x);
  unsigned bit = kind == FP_NAN         ? 1
                 : kind == FP_INFINITE  ? (negative ? 2 : 9)
                 : kind == FP_NORMAL    ? (negative ? 3 : 8)
                 : kind == FP_SUBNORMAL ? (negative ? 4 : 7)
                 : negative             ? 5
                                        : 6;
  return (mask >> bit & 1) || (bit == 1 && (mask & 1));
}

/* Operands as the widest type; `slots` of each in r. */
static long double operand_real(const uint64_t *r, uint16_t slot, unsigned width) {
  return width == 32 ? (long double)slot_float(r[slot]) : width == 64 ? (long double)slot_double(r[slot]) : slots_fp80(&r[slot]);
}

static uint64_t to_integer(enum intrinsic id, long double x) {
  return to_signed(id == INTR_LROUND || id == INTR_LLROUND ? roundl(x) : rintl(x));
}

/* Of one operand: a NaN that comes out is as real.h says. */
static bool makes_nan(enum intrinsic id) { return id == INTR_SQRT || (id >= INTR_FLOOR && id <= INTR_ROUNDEVEN); }

static bool real_intrinsic(enum intrinsic id, const union insn *ip, uint64_t *r) {
  const uint16_t *s = ip[2].slots;
  unsigned width = ip->c, each = width == 80 ? 2 : 1, n = ip->b;
  uint64_t *to = &r[ip->a];
  if (id == INTR_LROUND || id == INTR_LLROUND || id == INTR_LRINT || id == INTR_LLRINT) {
    to[0] = to_integer(id, operand_real(r, s[0], width));
    return true;
  }
  if (id == INTR_FPCLASS) {
    to[0] = classify(operand_real(r, s[0], width), r[s[each]]);
    if (width == 32 && fpclassify(slot_float(r[s[0]])) == FP_SUBNORMAL) to[0] = r[s[each]] >> (signbit(slot_float(r[s[0]])) ? 4 : 7) & 1;
    if (width == 64 && fpclassify(slot_double(r[s[0]])) == FP_SUBNORMAL) to[0] = r[s[each]] >> (signbit(slot_double(r[s[0]])) ? 4 : 7) & 1;
    return true;
  }
  if (id == INTR_FREXP) {
    int exponent = 0;
    if (width == 32) to[0] = float_slot(frexpf(slot_float(r[s[0]]), &exponent));
    if (width == 64) to[0] = double_slot(frexp(slot_double(r[s[0]]), &exponent));
    if (width == 80) fp80_slots(to, frexpl(slots_fp80(&r[s[0]]), &exponent));
    to[each] = (uint32_t)exponent;
    return true;
  }
  uint16_t s1 = n > each ? s[each] : s[0], s2 = n > 2 * each ? s[2 * each] : s[0];
  int64_t integer = (int32_t)r[s1];
  if (width == 32) {
    float z;
    if (!math_float(id, slot_float(r[s[0]]), slot_float(r[s1]), slot_float(r[s2]), integer, &z)) return false;
    to[0] = makes_nan(id) ? float_result(z, r[s[0]], r[s[0]]) : float_slot(z);
  } else if (width == 64) {
    double z;
    if (!math_double(id, slot_double(r[s[0]]), slot_double(r[s1]), slot_double(r[s2]), integer, &z)) return false;
    to[0] = makes_nan(id) ? double_result(z, r[s[0]], r[s[0]]) : double_slot(z);
  } else {
    long double z;
    if (!math_fp80(id, slots_fp80(&r[s[0]]), slots_fp80(&r[s1]), slots_fp80(&r[s2]), integer, &z)) return false;
    fp80_slots(to, z);
  }
  return true;
}

/* Integer operand number i: wide ones take two argument slots. */
static u128 operand_integer(const uint64_t *r, const union insn *ip, unsigned i) {
  unsigned each = ip->c > 64 ? 2 : 1;
  if ((i + 1) * each > ip->b) return 0;
  const uint16_t *s = &ip[2].slots[i * each];
  return each == 2 ? (u128)r[s[1]] << 64 | r[s[0]] : (u128)r[s[0]];
}

static long double conversion_operand(enum intrinsic id, const union insn *ip, const uint64_t *r) {
  unsigned from = id == INTR_FPTOSI_SAT_F || id == INTR_FPTOUI_SAT_F ? 32 : id == INTR_FPTOSI_SAT_G || id == INTR_FPTOUI_SAT_G ? 64 : 80;
  return id >= INTR_FPTOSI_SAT_F && id <= INTR_FPTOUI_SAT_X ? operand_real(r, ip[2].slots[0], from) : 0;
}

enum run intrinsic_run(struct machine *m, struct thread *t, const union insn *ip, uint64_t *r) {
  enum intrinsic id = (enum intrinsic)ip[1].lo;
  unsigned width = ip->c;
  switch ((int)id) {
    case INTR_RETURNADDRESS:
    case INTR_FRAMEADDRESS:
    case INTR_FLT_ROUNDS:
      r[ip->a] = id == INTR_FLT_ROUNDS;
      return RUN_GO;
    case INTR_TRAP:
      return machine_fail(m, t, FINDING_ABORT, "trap", "the program executed a trap instruction");
    case INTR_DEBUGTRAP:
      return RUN_GO;
    default:
      break;
  }
  if (id < INTR_SQRT) {
    struct operands o = {.fx = conversion_operand(id, ip, r)};
    if (!(id >= INTR_FPTOSI_SAT_F && id <= INTR_FPTOUI_SAT_X))
      o.x = operand_integer(r, ip, 0), o.y = operand_integer(r, ip, 1), o.z = operand_integer(r, ip, 2);
    u128 result;
    int extra;
    if (!integer_intrinsic(id, &o, width, &result, &extra)) return machine_unsupported(m, t, "intrinsic %d is not supported", (int)id);
    r[ip->a] = (uint64_t)result;
    if (width > 64) r[ip->a + 1] = (uint64_t)(result >> 64);
    if (extra >= 0) r[ip->a + (width > 64 ? 2 : 1)] = (uint64_t)extra;
    return RUN_GO;
  }
  if (!real_intrinsic(id, ip, r)) return machine_unsupported(m, t, "intrinsic %d is not supported for width %u", (int)id, width);
  return RUN_GO;
}
