/* A task lets others go on, which is no wait for them. */
#include "openmp.h"
int x, y;
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp task
    {
      pause_a_moment();
      x = 1; /* race */
    }
#pragma omp task
    {
      pause_a_moment();
#pragma omp taskyield
#ifdef RACY
      x = 2; /* race */
#else
      y = 2;
#endif
    }
  }
  return x + y < 1;
}
