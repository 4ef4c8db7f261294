// A count of references: whoever acquires one looks whether the object is still alive, and counts itself afterwards.
// verdict: BUG
// options: --linearizable
// finding: not-linearizable
// case: counted -DFIXED
// options: --linearizable
// verdict: SAFE
#include <heddle.h>
#include <stdatomic.h>

static atomic_int count;

HD_BEGIN(void) { count = 1; }
HD_OPERATION(acquire) {
  int seen = count;
#ifdef FIXED
  while (seen && !atomic_compare_exchange_strong(&count, &seen, seen + 1)) {}
#else
  if (seen) count++;
#endif
  return seen > 0;
}
HD_OPERATION(release) {
  int seen = count;
  while (seen && !atomic_compare_exchange_strong(&count, &seen, seen - 1)) {}
  return seen - 1;
}
