/* A taskgroup waits for tasks of tasks, taskwait does not. */
#include "openmp.h"
int main(void) {
  int x = 0, seen = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#ifdef RACY
#pragma omp task shared(x)
#else
#pragma omp taskgroup
#pragma omp task shared(x)
#endif
    {
#pragma omp task shared(x)
      {
        pause_a_moment();
        pause_a_moment();
        x = 1; /* race */
      }
      pause_a_moment();
    }
#pragma omp taskwait
    seen = x; /* race */
  }
  return seen > 1;
}
