/* A wait for some tasks. */
#include "openmp.h"
int main(void) {
  int x = 0, y = 0, seen = 0;
#pragma omp parallel num_threads(4) shared(x, y)
#pragma omp single
  {
#pragma omp task depend(out : x) shared(x)
    {
      pause_a_moment();
      x = 1; /* race */
    }
#pragma omp task depend(out : y) shared(y)
    {
      pause_a_moment();
      y = 1; /* race */
    }
    pause_a_moment();
#ifdef RACY
#pragma omp taskwait depend(in : y)
    seen = x; /* race */
#else
#pragma omp taskwait depend(in : x)
    seen = x;
#endif
#pragma omp taskwait
    seen += y;
  }
  return seen > 2;
}
