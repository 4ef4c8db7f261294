/* A task that comes behind all of a list of others. */
#include "openmp.h"
int a[8], sum;
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  {
    for (int i = 0; i < 8; i++) {
#pragma omp task depend(out : a[i])
      {
        pause_a_moment();
        a[i] = i; /* race */
      }
    }
#ifdef RACY
#pragma omp task depend(iterator(k = 0 : 4), in : a[k])
#else
#pragma omp task depend(iterator(k = 0 : 8), in : a[k])
#endif
    {
      for (int i = 0; i < 8; i++) sum += a[i]; /* race */
    }
  }
  return sum < 0;
}
