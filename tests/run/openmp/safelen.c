/* Vectors of up to eight elements: a promise to the compiler, not to other threads. */
#include "openmp.h"
int a[N + 16];
int main(void) {
#ifdef RACY
#pragma omp parallel for simd safelen(8) num_threads(4)
  for (int i = 0; i < N; i++) a[i + 8] = a[i] + 1; /* race */
#else
#pragma omp simd safelen(8)
  for (int i = 0; i < N; i++) a[i + 8] = a[i] + 1;
#endif
  return a[0];
}
