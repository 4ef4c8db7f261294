// output: native
// Variadic functions: integers, doubles, structures, va_copy, passing a va_list on.
#include <stdarg.h>
#include <stdio.h>

struct point {
  int x, y;
};
struct wide {
  long a, b, c;
};

static double total(const char *kinds, ...) {
  va_list args;
  double sum = 0;
  va_start(args, kinds);
  for (const char *k = kinds; *k; k++) {
    if (*k == 'i') sum += va_arg(args, int);
    if (*k == 'l') sum += (double)va_arg(args, long);
    if (*k == 'd') sum += va_arg(args, double);
    if (*k == 'L') sum += (double)va_arg(args, long double);
    if (*k == 'p') {
      struct point p = va_arg(args, struct point);
      sum += p.x * 100 + p.y;
    }
    if (*k == 'w') {
      struct wide w = va_arg(args, struct wide);
      sum += (double)(w.a + w.b + w.c);
    }
    if (*k == 's') sum += va_arg(args, const char *)[0];
  }
  va_end(args);
  return sum;
}

static int again(char *to, size_t n, const char *format, ...) {
  va_list args, copy;
  va_start(args, format);
  va_copy(copy, args);
  int length = vsnprintf(to, n, format, args);
  printf("copy: ");
  vprintf(format, copy);
  va_end(copy);
  va_end(args);
  return length;
}

int main(void) {
  char text[64];
  printf("%g\n", total("iidldids", 1, 2, 3.5, 4000000000l, 5.25, 6, 0.125, "A"));
  printf("%g\n", total("pdpwLi", (struct point){1, 2}, 0.5, (struct point){3, 4}, (struct wide){1, 2, 3}, 7.25L, 9));
  printf("%g\n", total("dddddddddddd", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12.));
  printf("%g\n", total("iiiiiiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
  printf(" %d %s\n", again(text, sizeof text, "[%s %5.2f %c]", "x", 3.14159, 'y'), text);
  return 0;
}
