/* Sections of inner teams. */
#include "openmp.h"
int x[2];
int main(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
    int t = omp_get_thread_num();
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
      {
        pause_a_moment();
        x[t] = 1; /* race */
      }
#pragma omp section
      {
        pause_a_moment();
#ifdef RACY
        x[1 - t] = 2; /* race */
#endif
      }
    }
  }
  return x[0] < 1;
}
