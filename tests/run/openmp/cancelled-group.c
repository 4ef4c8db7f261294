/* Tasks of a group that is cancelled: who found it says so. */
#include "openmp.h"
int found;
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp taskgroup
    for (int i = 0; i < 8; i++) {
#pragma omp task firstprivate(i)
      {
        pause_a_moment();
#ifdef RACY
        found = i; /* race */
#else
        if (i == 3) {
#pragma omp atomic write
          found = i;
#pragma omp cancel taskgroup
        }
#endif
      }
    }
  }
  return found < 0;
}
