/* Sections that add up. */
#include "openmp.h"
int main(void) {
  int sum = 0;
#ifdef RACY
#pragma omp parallel sections num_threads(3)
#else
#pragma omp parallel sections num_threads(3) reduction(+ : sum)
#endif
  {
#pragma omp section
    {
      pause_a_moment();
      sum += 1; /* race */
    }
#pragma omp section
    {
      pause_a_moment();
      sum += 2; /* race */
    }
#pragma omp section
    {
      pause_a_moment();
      sum += 3; /* race */
    }
  }
  return sum < 1;
}
