/* A sum of all threads. */
#include "openmp.h"
int main(void) {
  long sum = 0, most = 0;
#ifdef RACY
#pragma omp parallel for num_threads(4) /* race */
#else
#pragma omp parallel for num_threads(4) reduction(+ : sum) reduction(max : most)
#endif
  for (int i = 0; i < N; i++) { /* race */
    sum += i;                /* race */
    if (most < i) most = i;  /* race */
  }
  return sum < 0 || most < 0;
}
