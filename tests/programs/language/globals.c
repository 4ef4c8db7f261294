// output: native
// Initialised data: relocations, pointers into arrays, strings, static locals, constructors, atexit.
#include <stdio.h>
#include <stdlib.h>

static int values[] = {1, 2, 3, 4};
static int *const middle = &values[2];
static const char *names[] = {"zero", "one", "two"};
static const char *const *const last = &names[2];
static struct {
  int n;
  int *p;
  struct {
    const char *s;
    double d;
  } nested[2];
} table = {7, values + 1, {{"first", 1.5}, {"second", -2.5}}};
static int uninitialised[1000];
static const long difference = (char *)&values[3] - (char *)&values[1];
static int order;

__attribute__((constructor(101))) static void early(void) { order = order * 10 + 1; }
__attribute__((constructor(102))) static void late(void) { order = order * 10 + 2; }
__attribute__((destructor)) static void bye(void) { printf("destructor\n"); }
static void first(void) { printf("registered first\n"); }
static void second(void) { printf("registered second\n"); }

static int counter(void) {
  static int n = 5;
  return n++;
}

int main(void) {
  printf("%d %s %d %d %s %g %ld\n", *middle, *last, table.n, *table.p, table.nested[1].s, table.nested[0].d, difference);
  int once = counter(), twice = counter();
  printf("%d %d %d %d\n", once, twice, uninitialised[999], order);
  middle[-1] = 9;
  printf("%d %d\n", values[1], table.p[0]);
  atexit(first);
  atexit(second);
  exit(3);
}
