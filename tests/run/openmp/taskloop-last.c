/* The last iteration's value. */
#include "openmp.h"
int main(void) {
  int x = -1;
#pragma omp parallel num_threads(4)
#pragma omp single
#ifdef RACY
#pragma omp taskloop num_tasks(8) shared(x)
#else
#pragma omp taskloop num_tasks(8) lastprivate(x)
#endif
  for (int i = 0; i < 64; i++) {
    if (i % 8 == 0) pause_a_moment();
    x = i; /* race */
  }
  return x < 0;
}
