/* What sections made is used behind them. */
#include "openmp.h"
int x, y, z[4];
int main(void) {
#pragma omp parallel num_threads(4)
  {
#ifdef RACY
#pragma omp sections nowait
#else
#pragma omp sections
#endif
    {
#pragma omp section
      x = 1; /* race */
#pragma omp section
      y = 2; /* race */
    }
    z[omp_get_thread_num()] = x + y; /* race */
  }
  return z[0] < 0;
}
