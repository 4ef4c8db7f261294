/* A task, and what its parent does while nobody has waited for it. */
/* analysis: ovp */
#include "openmp.h"
int x, seen;
int main(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) usleep(50000);
#pragma omp master
    {
#pragma omp task
      {
#pragma omp task
        x = 1; /* race */
#ifndef RACY
#pragma omp taskwait
#endif
      }
#pragma omp taskwait
      seen = x; /* race */
    }
  }
  return seen > 1;
}
