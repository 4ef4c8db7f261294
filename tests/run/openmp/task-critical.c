/* Tasks in a critical section, and one outside. */
#include "openmp.h"
int best;
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 0; i < 8; i++) {
#pragma omp task firstprivate(i)
    {
      pause_a_moment();
#ifdef RACY
      if (i > best) /* race */
#endif
      {
#pragma omp critical
        if (i > best) best = i; /* race */
      }
    }
  }
  return best > 7;
}
