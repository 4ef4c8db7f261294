/* Tasks of a loop that add up. */
#include "openmp.h"
int main(void) {
  long sum = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
#ifdef RACY
#pragma omp taskloop num_tasks(8) shared(sum)
#else
#pragma omp taskloop num_tasks(8) reduction(+ : sum)
#endif
  for (int i = 0; i < 64; i++) {
    if (i % 8 == 0) pause_a_moment();
    sum += i; /* race */
  }
  return sum < 0;
}
