// Iterations of a parallel loop that add to one variable; with a reduction each thread adds to its own.
// cflags: -fopenmp
// verdict: BUG
// finding: data-race A
// case: dpor -fopenmp
// options: --strategy=dpor
// verdict: BUG
// finding: data-race A
// case: naive -fopenmp
// options: --strategy=naive
// verdict: BUG
// finding: data-race A
// case: three -fopenmp -DTHREADS=num_threads(3)
// verdict: BUG
// finding: data-race A
// case: fixed -fopenmp -DFIXED
// verdict: SAFE
// case: fixed-dpor -fopenmp -DFIXED
// options: --strategy=dpor
// verdict: SAFE
// case: fixed-naive -fopenmp -DFIXED
// options: --strategy=naive
// verdict: SAFE
// case: fixed-three -fopenmp -DFIXED -DTHREADS=num_threads(3)
// verdict: SAFE
// case: without
// verdict: SAFE
#include <assert.h>

#ifdef FIXED
#define REDUCTION reduction(+ : sum)
#else
#define REDUCTION
#endif
#ifndef THREADS
#define THREADS
#endif
#define PRAGMA(x) _Pragma(#x)
#define LOOP(x)   PRAGMA(x)

int main(void) {
  int sum = 0;
  LOOP(omp parallel for REDUCTION THREADS)
  for (int i = 1; i <= 4; i++) sum += i;  // @A
#if defined FIXED || !defined _OPENMP
  assert(sum == 10);
#endif
  return 0;
}
