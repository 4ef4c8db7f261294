/* Tasks that may go on in another thread. */
#include "openmp.h"
int done, order;
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 0; i < 12; i++) {
#pragma omp task untied
    {
      pause_a_moment();
#pragma omp taskyield
#pragma omp critical /* race */
      done++;             /* race */
#ifdef RACY
      order = done; /* race */
#endif
    }
  }
  return done != 12 || order > 12;
}
