/* The last section's value. */
#include "openmp.h"
int main(void) {
  int x = 0;
#ifdef RACY
#pragma omp parallel sections num_threads(2)
#else
#pragma omp parallel sections num_threads(2) lastprivate(x)
#endif
  {
#pragma omp section
    {
      pause_a_moment();
      x = 1; /* race */
    }
#pragma omp section
    {
      pause_a_moment();
      x = 2; /* race */
    }
  }
  return x < 1;
}
