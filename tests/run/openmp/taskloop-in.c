/* Tasks of a loop take part in a group's reduction. */
#include "openmp.h"
int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : sum)
    {
#ifdef RACY
#pragma omp taskloop num_tasks(8) shared(sum)
#else
#pragma omp taskloop num_tasks(8) in_reduction(+ : sum)
#endif
      for (int i = 0; i < 64; i++) {
        if (i % 8 == 0) pause_a_moment();
        sum += i; /* race */
      }
    }
  }
  return sum < 0;
}
