/* One thread's value for all. */
#include "openmp.h"
int shared, sums[4];
int main(void) {
#pragma omp parallel num_threads(4)
  {
    int mine = 0;
#ifdef RACY
#pragma omp single nowait
    shared = 7;    /* race */
    mine = shared; /* race */
#else
#pragma omp single copyprivate(mine)
    mine = 7;
#endif
    sums[omp_get_thread_num()] = mine;
  }
  return sums[0] > 7 || shared > 7;
}
