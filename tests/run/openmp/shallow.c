/* A copy of a pointer points to the same thing. */
#include "openmp.h"
int main(void) {
  int x = 0, *p = &x, seen = 0;
#ifdef RACY
#pragma omp parallel num_threads(4) firstprivate(p)
  {
    *p += 1; /* race */
  }
#else
#pragma omp parallel num_threads(4) firstprivate(x)
  {
    int *mine = &x;
    *mine += 1;
  }
#endif
  seen = *p;
  return seen > 4;
}
