/* Each thread of a loop makes tasks. */
#include "openmp.h"
int a[32], sum;
int main(void) {
#pragma omp parallel num_threads(4)
  {
#pragma omp for
    for (int i = 0; i < 32; i++) {
#pragma omp task firstprivate(i)
      {
        if (i % 8 == 0) pause_a_moment();
        a[i] = i; /* race */
#ifdef RACY
        sum++; /* race */
#endif
      }
    }
#pragma omp single
    for (int i = 0; i < 32; i++) sum += a[i]; /* race */
  }
  return sum < 1;
}
