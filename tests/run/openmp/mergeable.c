/* A task that may be merged into its parent. */
#include "openmp.h"
int main(void) {
  int x = 1, seen = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#ifdef RACY
#pragma omp task mergeable shared(x)
#else
#pragma omp task mergeable firstprivate(x)
#endif
    {
      pause_a_moment();
      x++; /* race */
    }
    pause_a_moment();
    seen = x; /* race */
  }
  return seen < 1;
}
