// errno of the mathematical functions, as natively: EDOM, ERANGE, or untouched.
// output: native
#define _GNU_SOURCE
#include <complex.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>

/* Nothing is folded. */
static volatile double values[] = {-10, -1.5, -1, -0.0, 0, 0.5, 1, 3, 1000, 1e300, -1e300, 5e-324, INFINITY, -INFINITY, NAN};
enum { VALUES = sizeof values / sizeof values[0] };

static void show(const char *name, double x, double y) {
  if (errno != 7) printf("%s(%g, %g): %d\n", name, x, y, errno);
}

#define CALL(name, call, x, y) \
  do {                         \
    errno = 7;                 \
    (void)(call);              \
    show(name, x, y);          \
  } while (0)

/* clang-format off */
#define ONE(X) \
  X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(ceil) X(cos) X(cosh) X(erf) X(erfc) X(exp) X(exp10) X(exp2) X(expm1) \
  X(fabs) X(floor) X(j0) X(j1) X(log) X(log10) X(log1p) X(log2) X(logb) X(nearbyint) X(rint) X(round) X(sin) X(sinh) X(sqrt) X(tan) \
  X(tanh) X(tgamma) X(trunc) X(y0) X(y1) X(ilogb) X(lrint) X(llrint) X(lround) X(llround)
#define TWO(X) X(atan2) X(copysign) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(nextafter) X(pow) X(remainder) X(scalb) X(drem)
/* clang-format on */


int main(void) {
  volatile double sum = 0;
  for (int i = 0; i < VALUES; i++) {
    volatile double x = values[i];
    volatile float xf = (float)x;
    volatile long double xl = x;
#define X(n)                                              \
  CALL(#n, sum = (double)n(x), x, 0);                     \
  CALL(#n "f", sum = (double)n##f(xf), x, 0);             \
  CALL(#n "l", sum = (double)n##l(xl), x, 0);
    ONE(X)
#undef X
    int exponent;
    double s, c;
    CALL("lgamma_r", sum = lgamma_r(x, &exponent), x, 0);
    CALL("lgammaf_r", sum = lgammaf_r(xf, &exponent), x, 0);
    CALL("frexp", sum = frexp(x, &exponent), x, 0);
    CALL("modf", sum = modf(x, &s), x, 0);
    CALL("sincos", sincos(x, &s, &c), x, 0);
    CALL("jn", sum = jn(2, x), x, 0);
    CALL("yn", sum = yn(2, x), x, 0);
    CALL("csqrt", sum = creal(csqrt(x)), x, 0);
    CALL("cexp", sum = creal(cexp(x)), x, 0);
    for (int k = 0; k < VALUES; k++) {
      volatile double y = values[k];
      volatile float yf = (float)y;
      volatile long double yl = y;
#define X(n)                                              \
  CALL(#n, sum = (double)n(x, y), x, y);                  \
  CALL(#n "f", sum = (double)n##f(xf, yf), x, y);         \
  CALL(#n "l", sum = (double)n##l(xl, yl), x, y);
      TWO(X)
#undef X
      CALL("fma", sum = fma(x, y, x), x, y);
      CALL("remquo", sum = remquo(x, y, &exponent), x, y);
      CALL("nexttoward", sum = nexttoward(x, yl), x, y);
    }
    for (volatile int k = -2000; k <= 2000; k += 1000) {
      CALL("ldexp", sum = ldexp(x, k), x, k);
      CALL("scalbnf", sum = scalbnf(xf, k), x, k);
      CALL("scalblnl", sum = scalblnl(xl, k), x, k);
    }
  }
  errno = 0;
  sum = log(values[0]);
  printf("EDOM: %d\n", errno == EDOM);
  errno = 0;
  sum = exp(values[8]);
  printf("ERANGE: %d\n", errno == ERANGE);
  return 0;
}
