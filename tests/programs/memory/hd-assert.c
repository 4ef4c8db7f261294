// hd_assert(), hd_assume() and hd_choose(): a triple whose squares do not fit.
// verdict: BUG
// finding: assertion A
// case: fixed -DFIXED
// verdict: SAFE
#include <heddle.h>

int main(void) {
  unsigned a = 1 + hd_choose(5), b = 1 + hd_choose(5), c = 1 + hd_choose(5);
  hd_assume(a < b && b < c);
#ifdef FIXED
  hd_assume(!(a == 3 && b == 4 && c == 5));
#endif
  hd_assert(a * a + b * b != c * c);  // @A
  return 0;
}
