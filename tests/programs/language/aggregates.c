// output: native
// Structures and unions by value, nested, in arrays, returned in registers and in memory; compound literals; flexible members.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct small {
  char c;
  short s;
};
struct mixed {
  double d;
  int i;
};
struct floats {
  float x, y, z;
};
struct large {
  int values[20];
  struct small tail;
};
union either {
  double d;
  unsigned long bits;
  char bytes[8];
};
struct flexible {
  int n;
  char text[];
};

static struct small make_small(int c, int s) { return (struct small){(char)c, (short)s}; }
static struct mixed make_mixed(double d, int i) { return (struct mixed){d, i}; }
static struct floats add(struct floats a, struct floats b) { return (struct floats){a.x + b.x, a.y + b.y, a.z + b.z}; }
static struct large fill(int start) {
  struct large l = {.tail = make_small('t', start)};
  for (int i = 0; i < 20; i++) l.values[i] = start + i * i;
  return l;
}
static int sum(struct large l, struct mixed m, struct small s) {
  int total = m.i + s.s + s.c + (int)m.d;
  for (int i = 0; i < 20; i++) total += l.values[i];
  l.values[0] = 0;
  return total;
}

int main(void) {
  struct large one = fill(3), two = one;
  two.values[7] = -1;
  printf("%d %d %d\n", sum(one, make_mixed(2.5, 4), make_small(1, -2)), sum(two, (struct mixed){0}, one.tail), one.values[0]);
  struct floats f = add((struct floats){1, 2, 3}, (struct floats){.z = 0.5f});
  printf("%g %g %g\n", f.x, f.y, f.z);
  union either e = {.d = -1.5};
  printf("%lx %d\n", e.bits, e.bytes[7]);
  struct flexible *x = malloc(sizeof *x + 6);
  if (!x) return 1;
  x->n = 5;
  memcpy(x->text, "hello", 6);
  printf("%d %s\n", x->n, x->text);
  free(x);
  struct small grid[2][3] = {{{'a', 1}, {'b', 2}}, {[2] = {'z', 26}}};
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++) printf("%d,%d ", grid[i][j].c, grid[i][j].s);
  printf("\n%s %zu\n", (char[]){"literal"}, sizeof(struct large));
  int *numbers = (int[]){4, 5, 6};
  printf("%d\n", numbers[1]);
  return 0;
}
