/* A thread that is chosen by its number. */
#include "openmp.h"
int x, y;
int main(void) {
#pragma omp parallel num_threads(4)
  {
#pragma omp masked filter(1)
    x = 1; /* race */
#pragma omp masked filter(2)
    {
#ifdef RACY
      x = 2; /* race */
#else
      y = 2;
#endif
    }
  }
  return x + y < 1;
}
