// Reads past a global table.
// verdict: BUG
// finding: out-of-bounds A
// case: fixed -DFIXED
// verdict: SAFE
#include <heddle.h>

static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

static int length(unsigned month) {
  return days[month];  // @A
}

int main(void) {
#ifdef FIXED
  unsigned month = hd_choose(12);
#else
  unsigned month = 1 + hd_choose(12);
#endif
  return length(month) < 28;
}
