/* Tasks of a loop, in vectors. */
#include "openmp.h"
int a[64], b[68];
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
#ifdef RACY
#pragma omp taskloop num_tasks(8)
  for (int i = 0; i < 64; i++) {
    if (i % 8 == 0) pause_a_moment();
    b[i + 4] = b[i] + a[i]; /* race */
  }
#else
#pragma omp taskloop simd num_tasks(8)
  for (int i = 0; i < 64; i++) b[i] += a[i];
#endif
  return b[0];
}
