// Programs written for KLEE.
// verdict: BUG
// finding: assertion A
// case: fixed
// verdict: SAFE
// cflags: -DFIXED
// case: empty-range
// verdict: BUG
// cflags: -DEMPTY
// finding: assertion B
// case: no-value
// verdict: BOUNDED
// cflags: -DNO_VALUE
#include <klee/klee.h>

/* The sign of a number, as in KLEE's first tutorial. */
static int get_sign(int x) { return x == 0 ? 0 : x < 0 ? -1 : 1; }

int main(void) {
#ifdef EMPTY
  return klee_range(5, 5, "none"); /* @B */
#endif
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
#ifdef NO_VALUE
  klee_assume((x > 5) & (x < 3));
#endif
  int low = klee_range(-4, 4, "low");
  klee_assert(low >= -4 && low < 4 && get_sign(x) <= 1);
  unsigned long condition = (unsigned long)x << 32; /* all of its bits count */
  klee_assume(condition | (x == 0));
  klee_assert(klee_is_symbolic((unsigned long)x) && !klee_is_symbolic(3));
  klee_prefer_cex(&x, x > 10);
  if (low == 3) klee_silent_exit(7);
#ifdef FIXED
  klee_assert(low != 3);
#else
  if (klee_int("y") == 0x7eadbeef) klee_assert(low != -2 || x != -1); /* @A */
#endif
  return 0;
}
