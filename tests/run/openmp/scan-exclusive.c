/* What came before each element. */
#include "openmp.h"
int a[N], b[N];
int main(void) {
  int sum = 0;
  for (int i = 0; i < N; i++) a[i] = 1;
#ifdef RACY
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < N; i++) {
    b[i] = sum;  /* race */
    sum += a[i]; /* race */
  }
#else
#pragma omp parallel for num_threads(4) reduction(inscan, + : sum)
  for (int i = 0; i < N; i++) {
    b[i] = sum;
#pragma omp scan exclusive(sum)
    sum += a[i];
  }
#endif
  return b[0] < 0;
}
