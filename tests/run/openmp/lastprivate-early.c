/* The last iteration's value is there behind the barrier. */
/* only: gcc */ /* clang has the threads wait behind the loop */
#include "openmp.h"
int seen[4];
int main(void) {
  int x = 0;
#pragma omp parallel num_threads(4)
  {
#ifdef RACY
#pragma omp for lastprivate(x) nowait /* race */
#else
#pragma omp for lastprivate(x)
#endif
    for (int i = 0; i < N; i++) x = i;  /* race */
    seen[omp_get_thread_num()] = x;     /* race */
  }
  return seen[0] < 0;
}
