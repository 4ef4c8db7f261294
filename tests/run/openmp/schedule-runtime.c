/* How iterations are shared out is decided at run time. */
#include "openmp.h"
int a[N + 1], b[N];
int main(void) {
  omp_set_schedule(omp_sched_dynamic, 3);
#pragma omp parallel for num_threads(4) schedule(runtime)
  for (int i = 0; i < N; i++) {
    if (i % 30 == 0) pause_a_moment();
#ifdef RACY
    a[i + 1] = a[i] + 1; /* race */
#else
    b[i] = a[i] + 1;
#endif
  }
  return a[0] + b[0] > 1;
}
