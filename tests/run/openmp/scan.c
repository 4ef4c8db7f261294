/* Prefix sums. */
#include "openmp.h"
int a[N], b[N];
int main(void) {
  int sum = 0;
  for (int i = 0; i < N; i++) a[i] = 1;
#ifdef RACY
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < N; i++) { /* race */
    sum += a[i]; /* race */
    b[i] = sum;  /* race */
  }
#else
#pragma omp parallel for num_threads(4) reduction(inscan, + : sum)
  for (int i = 0; i < N; i++) {
    sum += a[i];
#pragma omp scan inclusive(sum)
    b[i] = sum;
  }
#endif
  return b[0] < 1;
}
