/* Each thread leaves a sum, and one adds them up. */
#include "openmp.h"
int part[4], sum;
int main(void) {
#pragma omp parallel num_threads(4)
  {
    int t = omp_get_thread_num();
    for (int i = t; i < N; i += 4) part[t] += i; /* race */
#ifndef RACY
#pragma omp barrier
#endif
#pragma omp master
    for (int k = 0; k < 4; k++) sum += part[k]; /* race */
  }
  return sum < 0;
}
