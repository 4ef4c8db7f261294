/* A dependence over half the array. */
#include "openmp.h"
int a[2 * N];
int main(void) {
#ifdef RACY
  int end = 2 * N - 60;
#else
  int end = N;
#endif
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < end; i++) {
#ifdef RACY
    a[i + 60] = a[i]; /* race */
#else
    a[i + N] = a[i];
#endif
  }
  return a[0];
}
