/* One thread, whichever, sets what all use. */
#include "openmp.h"
int size, uses[4];
int main(void) {
#pragma omp parallel num_threads(4)
  {
#ifdef RACY
#pragma omp single nowait
#else
#pragma omp single
#endif
    size = N;                            /* race */
    uses[omp_get_thread_num()] = size;   /* race */
  }
  return uses[0] < 0;
}
