/* A task that runs at once waits for those that it depends on. */
#include "openmp.h"
int x, y;
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp task depend(out : x)
    {
      pause_a_moment();
      x = 1; /* race */
    }
    pause_a_moment();
#ifdef RACY
#pragma omp task if (0)
#else
#pragma omp task if (0) depend(in : x)
#endif
    y = x; /* race */
  }
  return y > 1;
}
