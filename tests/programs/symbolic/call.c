// A function pointer that is an input.
// verdict: BUG
// finding: null-dereference A
// case: wild
// verdict: BUG
// cflags: -DWILD
// finding: out-of-bounds A
// case: functions
// verdict: BUG
// cflags: -DFUNCTIONS
// finding: assertion B
// case: table
// verdict: SAFE
// cflags: -DTABLE
#include <heddle.h>
#include <stddef.h>

static int up(int x) { return x + 1; }
static int down(int x) { return x - 1; }
static int (*const table[])(int) = {up, down};

int main(void) {
  int (*f)(int) = up;
#ifdef TABLE
  unsigned i;
  hd_symbolic(&i, sizeof i, "i");
  hd_assume(i < 2);
  int result = table[i](3);
  hd_assert(result == 4 || result == 2);
  return f != up;
#else
  hd_symbolic(&f, sizeof f, "f");
#ifdef WILD
  hd_assume(f != NULL);
#endif
#ifdef FUNCTIONS
  hd_assume(f == up || f == down);
#endif
  int result = f(3); /* @A */
  hd_assert(result == 4); /* @B */
  return 0;
#endif
}
