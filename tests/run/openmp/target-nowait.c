/* A region for a device that is not waited for. */
#include "openmp.h"
int x, seen;
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp target map(tofrom : x) nowait depend(out : x)
    {
      usleep(20000);
      x = 1; /* race */
    }
#ifndef RACY
#pragma omp taskwait
#endif
    usleep(30000);
    seen = x; /* race */
#pragma omp taskwait
  }
  return seen > 1;
}
