/* Tasks count in a variable of the thread that runs them. */
#include "openmp.h"
int count[4], all;
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 0; i < 12; i++) {
#pragma omp task
    {
      pause_a_moment();
      int t = omp_get_thread_num();
#ifdef RACY
      t = 0;
#endif
      count[t]++; /* race */
    }
  }
  for (int t = 0; t < 4; t++) all += count[t];
  return all < 1;
}
