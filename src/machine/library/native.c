/* Native functions: pure ones, computed by the host's own library. A row here is the whole story of a function: what it takes and gives.
 *
 *     FLOAT_1    T f(T)                for T in double, float (f...f) and long double (f...l), and __f_finite
 *     FLOAT_2    T f(T, T)             the same
 *     FLOAT_INT  int f(T)              LONG: long f(T), LLONG: long long f(T)
 *     COMPLEX_1  complex T f(complex T)   for double and float
 *
 * The rest of the mathematics, with pointers and mixed arguments, is written out below. What a function says of its arguments in the host's
 * errno (EDOM, ERANGE) goes into the program's. */
#include <complex.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "machine/interpret/slots.h"
#include "machine/memory/access.h"
#include "machine/sync/table.h"

/* clang-format off */
#define FLOAT_1(X) \
  X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(ceil) X(cos) X(cosh) X(erf) X(erfc) X(exp) X(exp10) X(exp2) X(expm1) \
  X(fabs) X(floor) X(gamma) X(j0) X(j1) X(lgamma) X(log) X(log10) X(log1p) X(log2) X(logb) X(nearbyint) X(rint) X(round) X(roundeven) \
  X(significand) X(sin) X(sinh) X(sqrt) X(tan) X(tanh) X(tgamma) X(trunc) X(y0) X(y1)

#define FLOAT_2(X) \
  X(atan2) X(copysign) X(drem) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(nextafter) X(pow) X(remainder) X(scalb)

#define FLOAT_TO_INT(X) \
  X(ilogb, uint32_t) X(lrint, uint64_t) X(llrint, uint64_t) X(lround, uint64_t) X(llround, uint64_t)

/* double, float, long double: name and expression over x */
#define FLOAT_CLASS(X) \
  X(isnan, __builtin_isnan(x)) X(__isnan, __builtin_isnan(x)) \
  X(isinf, __builtin_isinf_sign(x)) X(__isinf, __builtin_isinf_sign(x)) \
  X(finite, __builtin_isfinite(x)) X(__finite, __builtin_isfinite(x)) \
  X(__signbit, __builtin_signbit(x) != 0) \
  X(__fpclassify, __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x))

#define COMPLEX_1(X) \
  X(cacos) X(cacosh) X(casin) X(casinh) X(catan) X(catanh) X(ccos) X(ccosh) X(cexp) X(clog) X(conj) X(cproj) X(csin) X(csinh) X(csqrt) \
  X(ctan) X(ctanh)
/* clang-format on */

#define D(i)      slot_double(args[i])
#define F(i)      slot_float(args[i])
#define L(i)      slots_fp80(args + (i))
#define GIVE_D(x) (result[0] = double_slot(x))
#define GIVE_F(x) (result[0] = float_slot(x))
#define GIVE_L(x) fp80_slots(result, x)

static enum run give_errno(struct machine *m, struct thread *t) {
  if (m->errno_offset == UINT64_MAX) return RUN_GO; /* the program does not look at it */
  return access_write(m, t, region_tls(t->tid) + m->errno_offset, 4, (uint32_t)errno);
}

/* One builtin with an expression for its body. */
#define NATIVE(name, expression)              \
  static BUILTIN(native_##name) {             \
    errno = 0;                                \
    expression;                               \
    return errno ? give_errno(m, t) : RUN_GO; \
  }

#define X(n) NATIVE(n, GIVE_D(n(D(0)))) NATIVE(n##f, GIVE_F(n##f(F(0)))) NATIVE(n##l, GIVE_L(n##l(L(0))))
FLOAT_1(X)
#undef X
#define X(n) NATIVE(n, GIVE_D(n(D(0), D(1)))) NATIVE(n##f, GIVE_F(n##f(F(0), F(1)))) NATIVE(n##l, GIVE_L(n##l(L(0), L(2))))
FLOAT_2(X)
#undef X
#define X(n, type) \
  NATIVE(n, result[0] = (type)n(D(0))) NATIVE(n##f, result[0] = (type)n##f(F(0))) NATIVE(n##l, result[0] = (type)n##l(L(0)))
FLOAT_TO_INT(X)
#undef X
#define X(n, expression)                                           \
  NATIVE(n, double x = D(0); result[0] = (uint32_t)(expression))   \
  NATIVE(n##f, float x = F(0); result[0] = (uint32_t)(expression)) \
  NATIVE(n##l, long double x = L(0); result[0] = (uint32_t)(expression))
FLOAT_CLASS(X)
#undef X

/* --- mixed arguments --- */

NATIVE(fma, GIVE_D(fma(D(0), D(1), D(2))))
NATIVE(fmaf, GIVE_F(fmaf(F(0), F(1), F(2))))
NATIVE(fmal, GIVE_L(fmal(L(0), L(2), L(4))))
NATIVE(ldexp, GIVE_D(ldexp(D(0), (int)args[1])))
NATIVE(ldexpf, GIVE_F(ldexpf(F(0), (int)args[1])))
NATIVE(ldexpl, GIVE_L(ldexpl(L(0), (int)args[2])))
NATIVE(scalbln, GIVE_D(scalbln(D(0), (long)args[1])))
NATIVE(scalblnf, GIVE_F(scalblnf(F(0), (long)args[1])))
NATIVE(scalblnl, GIVE_L(scalblnl(L(0), (long)args[2])))
NATIVE(jn, GIVE_D(jn((int)args[0], D(1))))
NATIVE(jnf, GIVE_F(jnf((int)args[0], F(1))))
NATIVE(jnl, GIVE_L(jnl((int)args[0], L(1))))
NATIVE(yn, GIVE_D(yn((int)args[0], D(1))))
NATIVE(ynf, GIVE_F(ynf((int)args[0], F(1))))
NATIVE(ynl, GIVE_L(ynl((int)args[0], L(1))))
NATIVE(nexttoward, GIVE_D(nexttoward(D(0), L(1))))
NATIVE(nexttowardf, GIVE_F(nexttowardf(F(0), L(1))))
NATIVE(powi, GIVE_D(__builtin_powi(D(0), (int)args[1])))
NATIVE(powif, GIVE_F(__builtin_powif(F(0), (int)args[1])))
NATIVE(powil, GIVE_L(__builtin_powil(L(0), (int)args[2])))
NATIVE(finish_nan, GIVE_D(__builtin_nan("")))
NATIVE(finish_nanf, GIVE_F(__builtin_nanf("")))
NATIVE(finish_nanl, GIVE_L(__builtin_nanl("")))

/* --- results through pointers --- */

static enum run store_int(struct machine *m, struct thread *t, uint64_t to, int value) { return access_store(m, t, to, &value, 4); }
static enum run store_long_double(struct machine *m, struct thread *t, uint64_t to, long double value) {
  uint64_t slots[2];
  fp80_slots(slots, value);
  return access_store(m, t, to, slots, 10);
}

/* value = expression, which sets `out` of type `type`; store is how `out` gets to the program. */
#define NATIVE_OUT(name, type, give, expression, store)       \
  static BUILTIN(native_##name) {                             \
    type out = 0;                                             \
    errno = 0;                                                \
    give(expression);                                         \
    if (errno && give_errno(m, t) != RUN_GO) return RUN_STOP; \
    return store;                                             \
  }

#define TO_D(i)   access_store(m, t, args[i], &out, 8)
#define TO_F(i)   access_store(m, t, args[i], &out, 4)
#define TO_L(i)   store_long_double(m, t, args[i], out)
#define TO_INT(i) store_int(m, t, args[i], out)

NATIVE_OUT(frexp, int, GIVE_D, frexp(D(0), &out), TO_INT(1))
NATIVE_OUT(frexpf, int, GIVE_F, frexpf(F(0), &out), TO_INT(1))
NATIVE_OUT(frexpl, int, GIVE_L, frexpl(L(0), &out), TO_INT(2))
NATIVE_OUT(lgamma_r, int, GIVE_D, lgamma_r(D(0), &out), TO_INT(1))
NATIVE_OUT(lgammaf_r, int, GIVE_F, lgammaf_r(F(0), &out), TO_INT(1))
NATIVE_OUT(lgammal_r, int, GIVE_L, lgammal_r(L(0), &out), TO_INT(2))
NATIVE_OUT(remquo, int, GIVE_D, remquo(D(0), D(1), &out), TO_INT(2))
NATIVE_OUT(remquof, int, GIVE_F, remquof(F(0), F(1), &out), TO_INT(2))
NATIVE_OUT(remquol, int, GIVE_L, remquol(L(0), L(2), &out), TO_INT(4))
NATIVE_OUT(modf, double, GIVE_D, modf(D(0), &out), TO_D(1))
NATIVE_OUT(modff, float, GIVE_F, modff(F(0), &out), TO_F(1))
NATIVE_OUT(modfl, long double, GIVE_L, modfl(L(0), &out), TO_L(2))

static BUILTIN(native_sincos) {
  errno = 0;
  double out = sin(D(0));
  if (errno && give_errno(m, t) != RUN_GO) return RUN_STOP;
  enum run run = t->phase ? RUN_GO : TO_D(1);
  t->phase = run == RUN_GO;
  out = cos(D(0));
  if (run == RUN_GO && (run = TO_D(2)) == RUN_GO) t->phase = 0;
  return run;
}
static BUILTIN(native_sincosf) {
  errno = 0;
  float out = sinf(F(0));
  if (errno && give_errno(m, t) != RUN_GO) return RUN_STOP;
  enum run run = t->phase ? RUN_GO : TO_F(1);
  t->phase = run == RUN_GO;
  out = cosf(F(0));
  if (run == RUN_GO && (run = TO_F(2)) == RUN_GO) t->phase = 0;
  return run;
}
static BUILTIN(native_sincosl) {
  errno = 0;
  long double out = sinl(L(0));
  if (errno && give_errno(m, t) != RUN_GO) return RUN_STOP;
  enum run run = t->phase ? RUN_GO : TO_L(2);
  t->phase = run == RUN_GO;
  out = cosl(L(0));
  if (run == RUN_GO && (run = TO_L(3)) == RUN_GO) t->phase = 0;
  return run;
}

/* --- complex numbers: real and imaginary part in two slots --- */

static double complex complex_d(const uint64_t *slots) { return __builtin_complex(slot_double(slots[0]), slot_double(slots[1])); }
static float complex complex_f(const uint64_t *slots) { return __builtin_complex(slot_float(slots[0]), slot_float(slots[1])); }
static void give_complex(uint64_t *result, double complex z) { result[0] = double_slot(creal(z)), result[1] = double_slot(cimag(z)); }
static void give_complex_f(uint64_t *result, float complex z) { result[0] = float_slot(crealf(z)), result[1] = float_slot(cimagf(z)); }

#define X(n) NATIVE(n, give_complex(result, n(complex_d(args)))) NATIVE(n##f, give_complex_f(result, n##f(complex_f(args))))
COMPLEX_1(X)
#undef X
NATIVE(cpow, give_complex(result, cpow(complex_d(args), complex_d(args + 2))))
NATIVE(cpowf, give_complex_f(result, cpowf(complex_f(args), complex_f(args + 2))))
NATIVE(cabs, GIVE_D(cabs(complex_d(args))))
NATIVE(cabsf, GIVE_F(cabsf(complex_f(args))))
NATIVE(carg, GIVE_D(carg(complex_d(args))))
NATIVE(cargf, GIVE_F(cargf(complex_f(args))))
NATIVE(creal, result[0] = args[0])
NATIVE(cimag, result[0] = args[1])
/* What compilers call for * and / of complex numbers. */
NATIVE(muldc3, give_complex(result, complex_d(args) * complex_d(args + 2)))
NATIVE(divdc3, give_complex(result, complex_d(args) / complex_d(args + 2)))
NATIVE(mulsc3, give_complex_f(result, complex_f(args) * complex_f(args + 2)))
NATIVE(divsc3, give_complex_f(result, complex_f(args) / complex_f(args + 2)))
static long double complex complex_l(const uint64_t *slots) { return __builtin_complex(slots_fp80(slots), slots_fp80(slots + 2)); }
static void give_complex_l(uint64_t *result, long double complex z) { fp80_slots(result, creall(z)), fp80_slots(result + 2, cimagl(z)); }
NATIVE(mulxc3, give_complex_l(result, complex_l(args) * complex_l(args + 4)))
NATIVE(divxc3, give_complex_l(result, complex_l(args) / complex_l(args + 4)))

/* clang-format off */
const struct builtin native_builtins[] = {
#define X(n) \
  {#n, native_##n, 1}, {#n "f", native_##n##f, 1}, {#n "l", native_##n##l, 2}, \
  {"__" #n "_finite", native_##n, 1}, {"__" #n "f_finite", native_##n##f, 1}, {"__" #n "l_finite", native_##n##l, 2},
    FLOAT_1(X)
#undef X
#define X(n) \
  {#n, native_##n, 2}, {#n "f", native_##n##f, 2}, {#n "l", native_##n##l, 4}, \
  {"__" #n "_finite", native_##n, 2}, {"__" #n "f_finite", native_##n##f, 2}, {"__" #n "l_finite", native_##n##l, 4},
    FLOAT_2(X)
#undef X
#define X(n, what) {#n, native_##n, 1}, {#n "f", native_##n##f, 1}, {#n "l", native_##n##l, 2},
    FLOAT_TO_INT(X)
    FLOAT_CLASS(X)
#undef X
#define X(n) {#n, native_##n, 2}, {#n "f", native_##n##f, 2},
    COMPLEX_1(X)
#undef X
    {"fma", native_fma, 3},
    {"fmaf", native_fmaf, 3},
    {"fmal", native_fmal, 6},
    {"ldexp", native_ldexp, 2},
    {"ldexpf", native_ldexpf, 2},
    {"ldexpl", native_ldexpl, 3},
    {"scalbn", native_ldexp, 2},
    {"scalbnf", native_ldexpf, 2},
    {"scalbnl", native_ldexpl, 3},
    {"scalbln", native_scalbln, 2},
    {"scalblnf", native_scalblnf, 2},
    {"scalblnl", native_scalblnl, 3},
    {"jn", native_jn, 2},
    {"jnf", native_jnf, 2},
    {"jnl", native_jnl, 3},
    {"yn", native_yn, 2},
    {"ynf", native_ynf, 2},
    {"ynl", native_ynl, 3},
    {"nexttoward", native_nexttoward, 3},
    {"nexttowardf", native_nexttowardf, 3},
    {"nexttowardl", native_nextafterl, 4},
    {"nan", native_finish_nan, 1},
    {"nanf", native_finish_nanf, 1},
    {"nanl", native_finish_nanl, 1},
    {"frexp", native_frexp, 2},
    {"frexpf", native_frexpf, 2},
    {"frexpl", native_frexpl, 3},
    {"lgamma_r", native_lgamma_r, 2},
    {"lgammaf_r", native_lgammaf_r, 2},
    {"lgammal_r", native_lgammal_r, 3},
    {"remquo", native_remquo, 3},
    {"remquof", native_remquof, 3},
    {"remquol", native_remquol, 5},
    {"modf", native_modf, 2},
    {"modff", native_modff, 2},
    {"modfl", native_modfl, 3},
    {"sincos", native_sincos, 3},
    {"sincosf", native_sincosf, 3},
    {"sincosl", native_sincosl, 4},
    {"cpow", native_cpow, 4},
    {"cpowf", native_cpowf, 4},
    {"cabs", native_cabs, 2},
    {"cabsf", native_cabsf, 2},
    {"carg", native_carg, 2},
    {"cargf", native_cargf, 2},
    {"creal", native_creal, 2},
    {"crealf", native_creal, 2},
    {"cimag", native_cimag, 2},
    {"cimagf", native_cimag, 2},
    {"__muldc3", native_muldc3, 4},
    {"__divdc3", native_divdc3, 4},
    {"__mulsc3", native_mulsc3, 4},
    {"__divsc3", native_divsc3, 4},
    {"__mulxc3", native_mulxc3, 8},
    {"__divxc3", native_divxc3, 8},
    {"__powidf2", native_powi, 2},
    {"__powisf2", native_powif, 2},
    {"__powixf2", native_powil, 3},
    {0},
};
/* clang-format on */
