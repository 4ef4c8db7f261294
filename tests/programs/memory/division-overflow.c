// INT_MIN / -1 has no result: the processor traps as it does for zero.
// verdict: BUG
// finding: division-by-zero A
// case: fixed -DFIXED
// verdict: SAFE
#include <limits.h>

int main(void) {
  volatile int dividend = INT_MIN;
  volatile int divisor = -1;
#ifdef FIXED
  dividend = INT_MIN + 1;
#endif
  return dividend / divisor != INT_MAX;  // @A
}
