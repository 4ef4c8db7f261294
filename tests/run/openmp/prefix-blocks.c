/* Prefix sums in two steps: blocks, then what comes before each. */
#include "openmp.h"
int a[N], sums[5];
int main(void) {
  for (int i = 0; i < N; i++) a[i] = 1;
#pragma omp parallel num_threads(4)
  {
    int t = omp_get_thread_num(), n = N / 4, before = 0;
    for (int i = t * n + 1; i < (t + 1) * n; i++) a[i] += a[i - 1];
    sums[t + 1] = a[(t + 1) * n - 1]; /* race */
#ifndef RACY
#pragma omp barrier
#endif
    for (int k = 0; k <= t; k++) before += sums[k]; /* race */
    for (int i = t * n; i < (t + 1) * n; i++) a[i] += before;
  }
  return a[0] != 1;
}
