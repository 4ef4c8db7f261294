/* Tasks that add to private copies. */
#include "openmp.h"
int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : sum)
    for (int i = 0; i < 8; i++) {
#ifdef RACY
#pragma omp task shared(sum)
#else
#pragma omp task in_reduction(+ : sum)
#endif
      {
        pause_a_moment();
        sum += i; /* race */
      }
    }
  }
  return sum < 0;
}
