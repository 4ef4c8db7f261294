// output: native
// _Complex, _Generic, statement expressions, designated ranges, offsetof, alignment.
#include <complex.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdio.h>

#define kind(x) _Generic((x), int: "int", double: "double", char *: "text", default: "other")
#define max(a, b)          \
  ({                       \
    __typeof__(a) a_ = (a); \
    __typeof__(b) b_ = (b); \
    a_ > b_ ? a_ : b_;      \
  })

struct layout {
  char a;
  alignas(16) int b;
  long c;
};

static double complex square(double complex z) { return z * z + 1; }

int main(void) {
  double complex z = square(1.5 + 2 * I);
  float complex w = (float complex)z / (1 - 1 * I);
  printf("%g %g %g %g\n", creal(z), cimag(z), crealf(w), cimagf(w));
  printf("%s %s %s %s\n", kind(1), kind(1.0), kind((char *)0), kind(1l));
  int range[10] = {[2 ... 5] = 7, [9] = 1};
  printf("%d %d %d\n", range[1] + range[2] + range[5], max(3, 4), max(-1, -2));
  printf("%zu %zu %zu\n", offsetof(struct layout, b), sizeof(struct layout), alignof(struct layout));
  return 0;
}
