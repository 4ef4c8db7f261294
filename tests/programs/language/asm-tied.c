// A statement without instructions gives its outputs what the inputs tied to them have: in registers, and in memory.
// verdict: SAFE
// output: native
#include <assert.h>
#include <stdio.h>

static int next(int x) { return x + 1; }

int main(void) {
  int (*function)(int);
  int number;
  struct {
    char c;
    short s;
  } x = {1, 2};
  __asm__("" : "=g"(function) : "0"(next));
  __asm__("" : "=r"(number) : "0"(5));
  __asm__("" : "+m"(x.s));
  assert(function(number) == 6 && x.s == 2);
  printf("%d %d\n", number, x.c);
  return 0;
}
