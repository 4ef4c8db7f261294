// output: native
// Recursion, function pointers in structures, callbacks with state, nested aggregates of them, many arguments.
#include <stdio.h>

struct shape;
struct methods {
  double (*area)(const struct shape *);
  const char *(*name)(void);
};
struct shape {
  const struct methods *methods;
  double a, b;
};

static double rectangle_area(const struct shape *s) { return s->a * s->b; }
static double ellipse_area(const struct shape *s) { return 3.25 * s->a * s->b; }
static const char *rectangle_name(void) { return "rectangle"; }
static const char *ellipse_name(void) { return "ellipse"; }
static const struct methods rectangle = {rectangle_area, rectangle_name}, ellipse = {ellipse_area, ellipse_name};

static int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
static long many(char a, short b, int c, long d, float e, double f, unsigned char g, _Bool h, long double i, int j, double k, long l) {
  return a + b * 2 + c * 3 + d * 4 + (long)(e * 5) + (long)(f * 6) + g * 7 + h * 8 + (long)(i * 9) + j * 10 + (long)(k * 11) + l * 12;
}
static int apply(int (*f)(int, void *), int n, void *state) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += f(i, state);
  return sum;
}
static int scaled(int i, void *state) { return i * ++*(int *)state; }
static int even(int n);
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }

int main(void) {
  const struct shape shapes[] = {{&rectangle, 2, 3}, {&ellipse, 1, 2}};
  for (int i = 0; i < 2; i++) printf("%s %g\n", shapes[i].methods->name(), shapes[i].methods->area(&shapes[i]));
  printf("%d %ld\n", ackermann(2, 3), many(1, 2, 3, 4, 5.5f, 6.5, 7, 1, 8.5L, 9, 10.5, 11));
  int state = 0;
  int applied = apply(scaled, 10, &state);
  printf("%d %d %d%d\n", applied, state, even(10), odd(10));
  return 0;
}
