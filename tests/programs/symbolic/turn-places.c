// Each turn stores at an index that it reads: there are four states of memory, however many turns there were.
// verdict: SAFE
// case: both
// verdict: BUG
// cflags: -DBOTH
// finding: assertion A
#include <heddle.h>

static unsigned char set[2];

int main(void) {
  for (;;) {
    unsigned char in;
    hd_symbolic(&in, 1, "in");
    set[in & 1] = in >> 7;
#ifdef BOTH
    hd_assert(!set[0] || !set[1]); /* @A */
#endif
  }
}
