// Recursion as deep as an input says.
// verdict: BUG
// finding: out-of-bounds A
// case: fixed
// verdict: SAFE
// cflags: -DFIXED
#include <heddle.h>

enum { ROOM = 16384 };

static unsigned depth(unsigned n) {
  volatile char room[ROOM];
  room[n % ROOM] = 1;
  return n ? 1 + depth(n - 1) : 0; /* @A */
}

int main(void) {
  unsigned n;
  hd_symbolic(&n, sizeof n, "n");
#ifdef FIXED
  hd_assume(n < 20);
#endif
  hd_assert(depth(n) == n);
  return 0;
}
