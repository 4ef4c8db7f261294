// A snapshot of two registers (Afek and others, JACM 1993): reading one after the other is none; reading both until nothing has changed
// between two readings is.
// verdict: BUG
// options: --linearizable
// finding: not-linearizable
// case: twice -DFIXED
// options: --linearizable
// verdict: SAFE
#include <heddle.h>
#include <stdatomic.h>

static atomic_int cell[2], writes[2];

static long read_both(void) { return cell[0] + 2 * cell[1]; }

HD_BEGIN(void) {}
HD_OPERATION(set, int which) {
  cell[which - 1] = 1;
  return 0;
}
HD_OPERATION(scan) {
  long seen = read_both();
#ifdef FIXED
  for (long again = read_both(); again != seen; again = read_both()) seen = again;
#endif
  return seen;
}
