/* A reduction over what the tasks of a region add. */
#include "openmp.h"
int main(void) {
  int sum = 0;
#ifdef RACY
#pragma omp parallel num_threads(4)
#else
#pragma omp parallel num_threads(4) reduction(task, + : sum)
#endif
  {
#pragma omp single
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
