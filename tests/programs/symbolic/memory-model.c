// Refused so far.
// verdict: SAFE
// exit: 2
// memory: tso
#include <heddle.h>

int main(void) {
  int x;
  hd_symbolic(&x, sizeof x, "x");
  hd_assert((x & 1) != 2);
  return 0;
}
