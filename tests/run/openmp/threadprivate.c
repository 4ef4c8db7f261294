/* Each thread its own. */
#include "openmp.h"
int count;
int sum;
#ifndef RACY
#pragma omp threadprivate(count)
#endif
int main(void) {
#pragma omp parallel num_threads(4)
  {
    count = 0;                                 /* race */
    for (int i = 0; i < N; i++) count += i;    /* race */
#pragma omp critical
    sum += count; /* race */
  }
  return sum < 0;
}
