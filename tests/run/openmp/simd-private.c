/* A variable for each lane, or one for all threads. */
#include "openmp.h"
int a[N], b[N], t;
int main(void) {
#ifdef RACY
#pragma omp parallel for num_threads(4)
#else
#pragma omp parallel for simd num_threads(4) private(t)
#endif
  for (int i = 0; i < N; i++) {
    t = a[i] + 1; /* race */
    b[i] = t * t; /* race */
  }
  return b[0] < 0;
}
