/* A task uses the loop's variable, or a copy of it. */
#include "openmp.h"
int a[32];
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  {
    int i, *at = &i;
    for (i = 0; i < 32; i++) { /* race */
#ifdef RACY
#pragma omp task firstprivate(at)
#else
    int copy = i;
#pragma omp task firstprivate(copy)
#endif
      {
#ifdef RACY
        int k = *at; /* race */
#else
        int k = copy;
#endif
        if (k < 32) a[k] = 1; /* race */
      }
      if (i % 8 == 0) pause_a_moment();
    }
#pragma omp taskwait
    (void)at;
  }
  return a[0] > 1;
}
