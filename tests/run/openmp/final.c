/* Tasks that run at once. */
#include "openmp.h"
int x, seen;
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#ifdef RACY
#pragma omp task
#else
#pragma omp task if (0)
#endif
    {
      pause_a_moment();
      x = 1; /* race */
    }
    pause_a_moment();
    seen = x; /* race */
  }
  return seen > 1;
}
