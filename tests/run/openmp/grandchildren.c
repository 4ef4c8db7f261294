/* A wait for children is none for their children. */
#include "openmp.h"
int x, seen;
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#ifdef RACY
    {
#else
#pragma omp taskgroup
    {
#endif
#pragma omp task
      {
#pragma omp task
        {
          pause_a_moment();
          x = 1; /* race */
        }
      }
#pragma omp taskwait
    }
    pause_a_moment();
    seen = x; /* race */
  }
  return seen > 1;
}
