/* A barrier of an inner team is none for the outer one. */
#include "openmp.h"
int x[2], seen[2];
int main(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
    int t = omp_get_thread_num();
    x[t] = 1; /* race */
#ifdef RACY
#pragma omp parallel num_threads(2)
    {
#pragma omp barrier
    }
#else
#pragma omp barrier
#endif
    seen[t] = x[1 - t]; /* race */
  }
  return seen[0] > 1;
}
