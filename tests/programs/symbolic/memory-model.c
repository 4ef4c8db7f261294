// One thread alone: the memory model makes no difference.
// verdict: SAFE
// memory: tso
// case: pso
// verdict: SAFE
// memory: pso
#include <heddle.h>

int main(void) {
  int x;
  hd_symbolic(&x, sizeof x, "x");
  hd_assert((x & 1) != 2);
  return 0;
}
