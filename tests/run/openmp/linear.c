/* A variable that goes up by the same step each time. */
#include "openmp.h"
int a[2 * N];
int main(void) {
  int k = 0;
#ifdef RACY
#pragma omp parallel for num_threads(4)
#else
#pragma omp parallel for simd num_threads(4) linear(k : 2)
#endif
  for (int i = 0; i < N; i++) {
    a[k] = i; /* race */
    k += 2;   /* race */
  }
  return a[0] < 0;
}
