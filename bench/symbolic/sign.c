/* KLEE's first example: three paths. */
#include <heddle.h>

static int sign(int x) {
  if (x == 0) return 0;
  return x < 0 ? -1 : 1;
}

int main(void) {
  int x;
  hd_symbolic(&x, sizeof x, "x");
  return sign(x);
}
