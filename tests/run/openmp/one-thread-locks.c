/* Tasks of the same thread, in critical sections, or not all of them. */
/* analysis: ovp */
#include "openmp.h"
int x, y;
int main(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) usleep(50000);
#pragma omp master
    for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(i)
      {
#pragma omp critical
        x++; /* race */
#ifdef RACY
        if (i > 16) x++; /* race */
#endif
#pragma omp atomic
        y++;
      }
    }
  }
  return x < 20 || y != 20;
}
