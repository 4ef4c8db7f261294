/* Two tasks. */
#include "openmp.h"
int x, y;
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp task
    {
      pause_a_moment();
      x++; /* race */
    }
#pragma omp task
    {
      pause_a_moment();
#ifdef RACY
      x++; /* race */
#else
      y++;
#endif
    }
  }
  return x < 1;
}
