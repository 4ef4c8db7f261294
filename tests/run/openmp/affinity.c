/* Where data is, is no order. */
#include "openmp.h"
int a[16], sum;
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 0; i < 8; i++) {
#ifdef RACY
#pragma omp task affinity(a[0 : 16]) firstprivate(i)
#else
#pragma omp task affinity(a[0 : 16]) depend(inout : sum) firstprivate(i)
#endif
    {
      pause_a_moment();
      sum += a[i]; /* race */
    }
  }
  return sum;
}
