/* A chain of tasks. */
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
#ifdef RACY
#pragma omp task depend(out : y)
#else
#pragma omp task depend(in : x) depend(out : y)
#endif
    {
      pause_a_moment();
      y = x + 1; /* race */
    }
#pragma omp task depend(inout : y)
    y++;
  }
  return y < 1;
}
