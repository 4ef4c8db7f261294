// A table at an index that is an input: one of all that are inside, and then one that is not.
// verdict: BUG
// finding: out-of-bounds A
// case: value
// verdict: BUG
// cflags: -DVALUE
// finding: abort B
// case: fixed
// verdict: SAFE
// cflags: -DFIXED
#include <heddle.h>
#include <stdlib.h>

static unsigned squares[1000];

int main(void) {
  unsigned i;
  for (unsigned k = 0; k < 1000; k++) squares[k] = k * k;
  hd_symbolic(&i, sizeof i, "i");
#if defined FIXED || defined VALUE
  if (i >= 1000) return 1;
#else
  if (i > 1000) return 1;
#endif
  unsigned square = squares[i]; /* @A */
#ifdef VALUE
  if (square == 173u * 173u) abort(); /* @B */
#else
  if (square % 4 > 1) abort(); /* of a square: never */
#endif
  return 0;
}
