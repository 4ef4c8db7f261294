/* Sections run at the same time. */
#include "openmp.h"
int x, y;
int main(void) {
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    {
      x = 1; /* race */
      pause_a_moment();
    }
#pragma omp section
    {
#ifdef RACY
      x = 2; /* race */
#else
      y = 2;
#endif
      pause_a_moment();
    }
  }
  return x + y < 2;
}
