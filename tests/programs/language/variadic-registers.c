// output: native
// Structures, vectors and wide numbers as variadic arguments: in registers as long as there are any, behind all kinds of parameters.
#include <stdarg.h>
#include <stdio.h>
#include <complex.h>
#include <emmintrin.h>
struct s1 { double a, b; }; struct s2 { float a; int b; double c; }; struct s3 { char c[3]; }; struct s4 { long double l; }; struct s5 { double d; long l; }; struct s6 { int a[7]; }; struct e {};
static long sum(double x, int a, struct s5 q, const char *f, ...) {
  va_list v; va_start(v, f); double s = x + a + q.d + q.l; __m128d m;
  for (; *f; f++) switch (*f) {
    case 'a': { struct s1 t = va_arg(v, struct s1); s += t.a * 2 + t.b * 3; break; }
    case 'b': { struct s2 t = va_arg(v, struct s2); s += t.a * 5 + t.b * 7 + t.c; break; }
    case 'c': { struct s3 t = va_arg(v, struct s3); s += t.c[0] + t.c[2] * 9; break; }
    case 'd': { struct s4 t = va_arg(v, struct s4); s += t.l; break; }
    case 'e': { struct s5 t = va_arg(v, struct s5); s += t.d * 11 + t.l * 13; break; }
    case 'f': { struct s6 t = va_arg(v, struct s6); s += t.a[0] + t.a[6]; break; }
    case 'g': s += va_arg(v, __int128) >> 3; break;
    case 'h': { double complex z = va_arg(v, double complex); s += creal(z) + 2 * cimag(z); break; }
    case 'i': s += va_arg(v, int); break;
    case 'j': s += va_arg(v, double); break;
    case 'k': m = va_arg(v, __m128d); s += m[0] + m[1] * 4; break;
    case 'l': s += va_arg(v, long double); break;
    case 'm': { float complex z = va_arg(v, float complex); s += crealf(z) + 2 * cimagf(z); break; }
    case 'n': (void)va_arg(v, struct e); s++; break;
    case 'p': s += *va_arg(v, int *); break;
  }
  va_end(v); return (long)(s * 16);
}
struct big { long a[9]; };
static struct big ret(struct big b, int n, ...) { va_list v; va_start(v, n); for (int i = 0; i < n; i++) b.a[i % 9] += va_arg(v, long); va_end(v); return b; }
int main(void) {
  struct s1 a = {1.5, 2.5}; struct s2 b = {3, 4, 5.5}; struct s3 c = {{1, 2, 3}}; struct s4 d = {6.25L}; struct s5 e = {7.5, 8}; struct s6 f = {{9, 0, 0, 0, 0, 0, 10}}; __int128 g = ((__int128)1 << 40) + 88; int one = 77; struct e n; float complex fc = 1 + 3i;
  printf("%ld\n", sum(1, 2, e, "abcdefghijklmnp", a, b, c, d, e, f, g, 1.0 + 2.0i, 5, 6.5, (__m128d){1, 2}, 8.5L, fc, n, &one));
  printf("%ld\n", sum(1, 2, e, "eeeeeeeeeee", e, e, e, e, e, e, e, e, e, e, e));
  printf("%ld\n", sum(1, 2, e, "aaaaiiiigigijjjjjjj", a, a, a, a, 1, 2, 3, 4, g, 5, g, 6, 1., 2., 3., 4., 5., 6., 7.));
  printf("%ld\n", sum(1, 2, e, "kkkkkkkkkkkll", (__m128d){1, 2}, (__m128d){1, 2}, (__m128d){1, 2}, (__m128d){1, 2}, (__m128d){1, 2}, (__m128d){1, 2}, (__m128d){1, 2}, (__m128d){1, 2}, (__m128d){1, 2}, (__m128d){1, 2}, (__m128d){1, 2}, 1.L, 2.L));
  struct big z = {{1}}; z = ret(z, 12, 1l, 2l, 3l, 4l, 5l, 6l, 7l, 8l, 9l, 10l, 11l, 12l); for (int i = 0; i < 9; i++) printf("%ld ", z.a[i]); puts("");
  printf("%d %f %s %Lf %c %ld %lld %g %x %p %5.1f|%*d\n", 1, 2.5, "x", 3.25L, 'c', 4l, 5ll, 6.5, 7, (void *)16, 8.5, 6, 42);
  return 0;
}
