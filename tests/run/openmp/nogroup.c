/* Tasks of a loop are waited for like others. */
#include "openmp.h"
int a[32], sum;
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp taskloop grainsize(4) nogroup
    for (int i = 0; i < 32; i++) {
      if (i % 4 == 0) pause_a_moment();
      a[i] = i; /* race */
    }
#ifdef RACY
#pragma omp taskyield
#else
#pragma omp taskwait
#endif
    for (int i = 0; i < 32; i++) sum += a[i]; /* race */
  }
  return sum < 0;
}
