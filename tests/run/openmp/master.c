/* Behind `master` there is no barrier. */
#include "openmp.h"
int x, seen[4];
int main(void) {
#pragma omp parallel num_threads(4)
  {
#pragma omp master
    x = 1; /* race */
#ifndef RACY
#pragma omp barrier
#endif
    seen[omp_get_thread_num()] = x; /* race */
  }
  return seen[0] > 1;
}
