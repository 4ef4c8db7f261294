/* A dependence that is kept in a variable. */
#include "openmp.h"
int x, y, seen;
int main(void) {
  omp_depend_t object;
#ifdef RACY
#pragma omp depobj(object) depend(in : y)
#else
#pragma omp depobj(object) depend(in : x)
#endif
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp task depend(out : x)
    {
      pause_a_moment();
      x = 1; /* race */
    }
#pragma omp task depend(depobj : object)
    {
      pause_a_moment();
      seen = x + y; /* race */
    }
  }
#pragma omp depobj(object) destroy
  return seen > 1;
}
