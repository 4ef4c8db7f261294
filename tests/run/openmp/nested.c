/* Teams within a team. */
#include "openmp.h"
int a[4], b[4];
int main(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
    int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2)
    {
#ifdef RACY
      a[omp_get_thread_num()]++; /* race */
#else
      a[2 * outer + omp_get_thread_num()]++;
#endif
    }
    b[outer] = a[2 * outer] + a[2 * outer + 1]; /* race */
  }
  return b[0] < 0;
}
