/* A second variable that counts along. */
#include "openmp.h"
int a[2 * N];
int main(void) {
  int k = 0;
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < N; i++) {
#ifdef RACY
    a[k] = i; /* race */
    k += 2;   /* race */
#else
    a[2 * i] = i;
#endif
  }
  return k < 0 || a[0] < 0;
}
