/* A grandchild uses its parent's local variable. */
#include "openmp.h"
int got;
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
#pragma omp task
  {
    int local = 1, *p = &local;
#pragma omp task firstprivate(p)
    {
      int v = *p; /* race */
#pragma omp atomic write
      got = v;
    }
    pause_a_moment();
#ifdef RACY
    local = 2; /* race */
#endif
#pragma omp taskwait
  }
  return got < 1;
}
