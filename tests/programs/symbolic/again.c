// The usual loop that reads inputs, into one variable: twelve of them, and one sum.
// verdict: BUG
// finding: abort A
// case: fixed
// verdict: SAFE
// cflags: -DFIXED
#include <heddle.h>
#include <stdlib.h>

int main(void) {
  unsigned sum = 0;
  unsigned char c;
  for (int i = 0; i < 12; i++) {
    hd_symbolic(&c, sizeof c, "c");
    hd_assume(c < 10);
    sum = sum * 10 + c;
  }
#ifdef FIXED
  sum &= ~1u;
#endif
  if (sum == 987654321) abort(); /* @A */
  return 0;
}
