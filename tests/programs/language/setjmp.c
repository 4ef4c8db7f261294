// output: native
// setjmp and longjmp: out of nested calls, several times, and with values.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf outer, inner;
static volatile int depth;

static void descend(int n) {
  depth++;
  if (n == 0) longjmp(outer, depth);
  descend(n - 1);
}

static int attempt(int n) {
  volatile int tries = 0;
  int code = setjmp(inner);
  tries++;
  if (code < n) longjmp(inner, code + 1);
  return tries * 100 + code;
}

int main(void) {
  volatile int round = 0;
  int code = setjmp(outer);
  printf("code %d round %d depth %d\n", code, round, depth);
  if (round++ < 3) {
    depth = 0;
    descend(round * 2);
  }
  printf("%d %d\n", attempt(0), attempt(4));
  if (setjmp(inner) == 0) longjmp(inner, 0);
  printf("zero becomes one\n");
  return 0;
}
