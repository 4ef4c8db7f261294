/* A priority is a wish, and no order. */
#include "openmp.h"
int x, y;
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp task priority(10) depend(out : x)
    {
      pause_a_moment();
      x = 1; /* race */
    }
#ifdef RACY
#pragma omp task priority(1)
#else
#pragma omp task priority(1) depend(in : x)
#endif
    {
      pause_a_moment();
      y = x; /* race */
    }
  }
  return y > 1;
}
