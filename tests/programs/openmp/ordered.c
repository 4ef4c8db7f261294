// Ordered regions follow the order of iterations, whoever has them; those that an iteration leaves out order nothing of it.
// cflags: -fopenmp -DSCHEDULE=schedule(dynamic)
// verdict: SAFE
// case: dpor -fopenmp -DSCHEDULE=schedule(dynamic)
// options: --strategy=dpor
// verdict: SAFE
// case: naive -fopenmp -DSCHEDULE=
// options: --strategy=naive
// verdict: SAFE
// case: chunks -fopenmp -DSCHEDULE=schedule(static,1)
// verdict: SAFE
// case: outside -fopenmp -DSCHEDULE=schedule(static,1) -DOUTSIDE
// verdict: BUG
// finding: data-race A
// case: left-out -fopenmp -DSCHEDULE=schedule(static,1) -DLEFT_OUT
// verdict: BUG
// finding: data-race L M
#include <assert.h>

#define PRAGMA(x) _Pragma(#x)
#define LOOP(x)   PRAGMA(x)

static int next, extra;

int main(void) {
  LOOP(omp parallel for ordered SCHEDULE num_threads(2))
  for (int i = 0; i < 4; i++) {
#ifdef OUTSIDE
    extra++;  // @A
#endif
#ifdef LEFT_OUT
    if (i == 1) {
      extra = 1;  // @L
      continue;
    }
#endif
#pragma omp ordered
    {
#ifdef LEFT_OUT
      if (i == 2) extra = 2;  // @M
#else
      assert(next == i);
#endif
      next++;
    }
  }
#ifndef LEFT_OUT
  assert(next == 4);
#endif
  return 0;
}
