// What one loop writes is read by the next one in another thread: the barrier between them may not be left out.
// cflags: -fopenmp
// verdict: BUG
// finding: data-race W R
// case: dpor -fopenmp
// options: --strategy=dpor
// verdict: BUG
// finding: data-race W R
// case: explicit -fopenmp -DEXPLICIT
// verdict: SAFE
// case: implicit -fopenmp -DIMPLICIT
// verdict: SAFE
// case: implicit-naive -fopenmp -DIMPLICIT
// options: --strategy=naive
// verdict: SAFE
#include <assert.h>

#ifdef IMPLICIT
#define NOWAIT
#else
#define NOWAIT nowait
#endif
#define PRAGMA(x) _Pragma(#x)
#define LOOP(x)   PRAGMA(x)

static int from[4], to[4];

int main(void) {
#pragma omp parallel num_threads(2)
  {
    LOOP(omp for NOWAIT)
    for (int i = 0; i < 4; i++) from[i] = i;  // @W
#ifdef EXPLICIT
#pragma omp barrier
#endif
    LOOP(omp for nowait)
    for (int i = 0; i < 4; i++) to[i] = from[3 - i];  // @R
  }
#if defined EXPLICIT || defined IMPLICIT
  for (int i = 0; i < 4; i++) assert(to[i] == 3 - i);
#endif
  return 0;
}
