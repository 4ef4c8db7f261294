/* Two buffers change their names between two steps. */
#include "openmp.h"
int first[N], second[N], *from = first, *to = second;
int main(void) {
#pragma omp parallel num_threads(4)
  for (int step = 0; step < 3; step++) {
#pragma omp for
    for (int i = 1; i < N - 1; i++) to[i] = from[i - 1] + from[i + 1]; /* race */
#ifdef RACY
#pragma omp single nowait
#else
#pragma omp single
#endif
    {
      int *t = from; /* race */
      from = to;     /* race */
      to = t;        /* race */
    }
  }
  return first[0];
}
