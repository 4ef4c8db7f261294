/* A sum by vectors. */
#include "openmp.h"
float a[N];
int main(void) {
  float sum = 0;
  for (int i = 0; i < N; i++) a[i] = 1;
#ifdef RACY
#pragma omp parallel for num_threads(4)
#else
#pragma omp parallel for simd num_threads(4) reduction(+ : sum)
#endif
  for (int i = 0; i < N; i++) sum += a[i]; /* race */
  return sum < 1;
}
