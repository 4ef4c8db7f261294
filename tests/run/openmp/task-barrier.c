/* Tasks are over behind a barrier; who did not wait in one does not know. */
#include "openmp.h"
int x, seen;
int main(void) {
#pragma omp parallel num_threads(4)
  {
#pragma omp single nowait
    {
#pragma omp task
      {
        pause_a_moment();
        x = 1; /* race */
      }
    }
#ifdef RACY
    for (int i = 0; i < 3; i++) pause_a_moment();
#else
#pragma omp barrier
#endif
#pragma omp master
    seen = x; /* race */
  }
  return seen > 1;
}
