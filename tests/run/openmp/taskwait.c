/* The parent uses what a task makes. */
#include "openmp.h"
int main(void) {
  int x = 0, seen = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp task shared(x)
    {
      pause_a_moment();
      x = 1; /* race */
    }
    pause_a_moment();
#ifndef RACY
#pragma omp taskwait
#endif
    seen = x; /* race */
  }
  return seen > 1;
}
