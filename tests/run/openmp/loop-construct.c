/* Iterations that may run at the same time, and say so. */
#include "openmp.h"
int a[N], sum;
int main(void) {
#pragma omp parallel num_threads(4)
#ifdef RACY
#pragma omp loop bind(parallel)
#else
#pragma omp loop bind(parallel) reduction(+ : sum)
#endif
  for (int i = 0; i < N; i++) sum += i; /* race */
  return sum < 0;
}
