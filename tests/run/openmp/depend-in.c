/* Readers side by side, between two writers. */
#include "openmp.h"
int x, r[3];
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp task depend(out : x)
    x = 1;
    for (int i = 0; i < 3; i++) {
#pragma omp task depend(in : x) firstprivate(i)
      {
        pause_a_moment();
        r[i] = x; /* race */
#ifdef RACY
        r[0] = i; /* race */
#endif
      }
    }
#pragma omp task depend(inout : x)
    x = r[0] + r[1] + r[2];
  }
  return x < 0;
}
