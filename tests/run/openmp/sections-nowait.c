/* Sections that nobody waits for at their end. */
#include "openmp.h"
int a, b, seen;
int main(void) {
#pragma omp parallel num_threads(3)
  {
#pragma omp sections nowait
    {
#pragma omp section
      {
        pause_a_moment();
        a = 1; /* race */
      }
#pragma omp section
      {
        pause_a_moment();
        b = 1; /* race */
      }
    }
#ifndef RACY
#pragma omp barrier
#endif
#pragma omp single
    seen = a + b; /* race */
  }
  return seen > 2;
}
