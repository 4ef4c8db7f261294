/* Tasks that may run together, but not with those before and behind. */
/* only: clang */
#include "openmp.h"
int x, y, z, sum;
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp task depend(out : x)
    x = 1;
#pragma omp task depend(inoutset : x)
    {
      pause_a_moment();
      y = x; /* race */
    }
#pragma omp task depend(inoutset : x)
    {
      pause_a_moment();
#ifdef RACY
      y = x + 1; /* race */
#else
      z = x + 1;
#endif
    }
#pragma omp task depend(in : x)
    sum = x + y + z;
  }
  return sum < 1;
}
