/* Atomic updates, and a look at them that is none. */
#include "openmp.h"
int count, seen;
int main(void) {
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < N; i++) {
#pragma omp atomic /* race */
    count++; /* race */
    int now;
#ifdef RACY
    now = count; /* race */
#else
#pragma omp atomic read
    now = count;
#endif
#pragma omp critical
    if (seen < now) seen = now;
  }
  return seen != N;
}
