/* Tasks that sections make. */
#include "openmp.h"
int x, y;
int main(void) {
#pragma omp parallel sections num_threads(4)
  {
#pragma omp section
    {
#pragma omp task
      {
        pause_a_moment();
        x++; /* race */
      }
    }
#pragma omp section
    {
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
  }
  return x + y < 1;
}
