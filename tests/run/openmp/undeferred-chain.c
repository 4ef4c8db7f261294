/* Tasks that run at once make tasks that do not. */
#include "openmp.h"
int x, seen;
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp task if (0)
    {
#pragma omp task
      {
        pause_a_moment();
        x = 1; /* race */
      }
#ifndef RACY
#pragma omp taskwait
#endif
    }
    pause_a_moment();
    seen = x; /* race */
  }
  return seen > 1;
}
