/* The result of a reduction is there behind the barrier. */
#include "openmp.h"
int main(void) {
  int sum = 0, seen[4];
#pragma omp parallel num_threads(4)
  {
#ifdef RACY
#pragma omp for reduction(+ : sum) nowait /* race */
#else
#pragma omp for reduction(+ : sum)
#endif
    for (int i = 0; i < N; i++) sum += i; /* race */
    seen[omp_get_thread_num()] = sum;     /* race */
  }
  return seen[0] < 0;
}
