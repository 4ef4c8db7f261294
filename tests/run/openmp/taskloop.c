/* Tasks of a loop, which end before what is behind it. */
#include "openmp.h"
int a[64], sum;
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#ifdef RACY
#pragma omp taskloop num_tasks(8) nogroup
#else
#pragma omp taskloop num_tasks(8)
#endif
    for (int i = 0; i < 64; i++) {
      if (i % 8 == 0) pause_a_moment();
      a[i] = i; /* race */
    }
    pause_a_moment();
    for (int i = 0; i < 64; i++) sum += a[i]; /* race */
  }
  return sum < 0;
}
