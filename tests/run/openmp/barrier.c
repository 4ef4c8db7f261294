/* One thread fills, all read. */
#include "openmp.h"
int a[N], sums[4];
int main(void) {
#pragma omp parallel num_threads(4)
  {
#pragma omp master
    for (int i = 0; i < N; i++) a[i] = i; /* race */
#ifndef RACY
#pragma omp barrier
#endif
    int sum = 0;
    for (int i = 0; i < N; i++) sum += a[i]; /* race */
    sums[omp_get_thread_num()] = sum;
  }
  return sums[0] < 0;
}
