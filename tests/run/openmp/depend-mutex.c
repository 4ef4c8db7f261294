/* Tasks in any order, but not at the same time. */
#include "openmp.h"
int x;
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp task depend(out : x)
    x = 1;
    for (int i = 0; i < 4; i++) {
#ifdef RACY
#pragma omp task depend(in : x)
#else
#pragma omp task depend(mutexinoutset : x)
#endif
      {
        pause_a_moment();
        x++; /* race */
      }
    }
#pragma omp task depend(in : x)
    x = x - 4; /* race */
  }
  return x < -4;
}
