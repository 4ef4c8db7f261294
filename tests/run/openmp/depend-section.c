/* Parts of an array, named by where they begin. */
#include "openmp.h"
int a[8];
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp task depend(out : a[0 : 4])
    {
      pause_a_moment();
      for (int i = 0; i < 4; i++) a[i] = i; /* race */
    }
#ifdef RACY
#pragma omp task depend(inout : a[4 : 4])
#else
#pragma omp task depend(inout : a[0 : 4])
#endif
    {
      pause_a_moment();
      for (int i = 0; i < 4; i++) a[i] += 1; /* race */
    }
  }
  return a[0] < 0;
}
