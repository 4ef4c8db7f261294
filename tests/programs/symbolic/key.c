// One of 2^64 values.
// verdict: BUG
// finding: assertion A
// case: fixed
// verdict: SAFE
// cflags: -DFIXED
// executions: 1
// case: naive
// verdict: SAFE
// options: --strategy=naive
// cflags: -DFIXED
#include <heddle.h>

int main(void) {
  unsigned long key;
  hd_symbolic(&key, sizeof key, "key");
#ifdef FIXED
  hd_assert(key * 2 + 1 != 0x123456789abcdee); /* an odd number is none that is even */
#else
  hd_assert(key * 3 + 1 != 0x123456789abcdef); /* @A */
#endif
  return 0;
}
