// output: native
// float, double and long double: arithmetic, comparison with NaN, conversion, rounding.
#include <float.h>
#include <math.h>
#include <stdio.h>

static volatile float f = 1.1f;
static volatile double d = 2.2, zero = 0.0;
static volatile long double ld = 3.3L;

int main(void) {
  printf("%.9g %.17g %.21Lg\n", f * f - d, d / 3 + f, ld * d - f);
  printf("%.9g %.17g\n", (float)(1 / 3.0), (double)(1 / 3.0L));
  double nan = zero / zero, inf = 1 / zero;
  printf("%d%d%d%d%d%d\n", nan == nan, nan < 1, nan > 1, nan != nan, isnan(nan), inf > DBL_MAX);
  printf("%f %f %f %f\n", inf, -inf, -zero, copysign(1, -zero));
  printf("%d %d %ld %u\n", (int)-2.9, (int)2.9, (long)-1e15, (unsigned)3e9);
  printf("%.1f %.1f %.1f %.1f\n", floor(-2.5), ceil(-2.5), trunc(-2.5), rint(2.5));
  printf("%.15g %.15g %.15g %.15g\n", sqrt(d), sin(d), exp(f), log(10.0));
  printf("%.15g %.15g %.15g\n", pow(d, 3.5), fmod(10.3, 3), atan2(1, -1));
  printf("%.18Lg %.18Lg %.18Lg\n", sqrtl(ld), floorl(-ld), ld / 7);
  printf("%g %g %g\n", DBL_MIN / 4, (double)FLT_MIN / 2, 1e308 * 10);
  printf("%e %a %A %La\n", d, d, f, ld);
  long double big = 1;
  for (int i = 0; i < 100; i++) big *= 1.5L;
  printf("%.10Lf %.3Le %d\n", big, big, (int)(big > 1e17L));
  int exponent;
  double mantissa = frexp(d * 1000, &exponent), whole, part = modf(12.75, &whole);
  printf("%g %d %g %g %g\n", mantissa, exponent, part, whole, ldexp(mantissa, 3));
  printf("%.17g %.9g\n", (double)(long double)0.1, (float)0.1);
  printf("%ld %.17g\n", (long)9007199254740993.0, (double)9007199254740993ull);
  float acc = 0;
  for (int i = 1; i < 1000; i++) acc += 1.0f / (float)i;
  printf("%.9g %.17g\n", acc, fma(d, d, -4.84));
  return 0;
}
