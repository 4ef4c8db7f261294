/* Only siblings depend on each other. */
#include "openmp.h"
int x;
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp task
    {
#pragma omp task depend(inout : x)
      {
        pause_a_moment();
        x++; /* race */
      }
#ifndef RACY
#pragma omp taskwait
#endif
    }
#ifndef RACY
#pragma omp taskwait
#endif
#pragma omp task
    {
#pragma omp task depend(inout : x)
      {
        pause_a_moment();
        x++; /* race */
      }
    }
  }
  return x < 1;
}
