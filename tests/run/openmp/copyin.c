/* The creator's value for all. */
#include "openmp.h"
int mine, sums[4];
#pragma omp threadprivate(mine)
int main(void) {
  mine = 5;
#pragma omp parallel num_threads(4) copyin(mine)
  {
    mine += omp_get_thread_num();
#ifdef RACY
    sums[0] += mine; /* race */
#else
    sums[omp_get_thread_num()] += mine;
#endif
  }
  return sums[0] < 5;
}
