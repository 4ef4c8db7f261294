/* A function for vectors. */
#include "openmp.h"
int a[N], calls;
#pragma omp declare simd
static int twice(int x) {
#ifdef RACY
  calls = x; /* race */
#endif
  return 2 * x;
}
int main(void) {
#ifdef RACY
#pragma omp parallel for num_threads(4)
#else
#pragma omp parallel for simd num_threads(4)
#endif
  for (int i = 0; i < N; i++) a[i] = twice(i);
  return a[1] != 2;
}
