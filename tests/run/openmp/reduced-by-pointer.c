/* A private copy, or the variable itself behind its back. */
#include "openmp.h"
int sum;
int main(void) {
  int *p = &sum;
#pragma omp parallel for num_threads(4) reduction(+ : sum) /* race */
  for (int i = 0; i < N; i++) {
#ifdef RACY
    *p += i; /* race */
#else
    sum += i;
    (void)p;
#endif
  }
  return sum < 0;
}
