// Divides by a count that may be zero.
// verdict: BUG
// finding: division-by-zero A
// case: fixed -DFIXED
// verdict: SAFE
#include <heddle.h>

static int average(int sum, int count) {
#ifdef FIXED
  if (count == 0) return 0;
#endif
  return sum / count;  // @A
}

int main(void) { return average(12, (int)hd_choose(3)) > 12; }
