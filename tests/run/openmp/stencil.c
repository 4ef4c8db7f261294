/* Two arrays take turns. */
#include "openmp.h"
int a[2][N];
int main(void) {
#pragma omp parallel num_threads(4)
  for (int step = 0; step < 6; step++) {
    int *from = a[step & 1], *to = a[~step & 1];
#ifdef RACY
#pragma omp for schedule(static) nowait
#else
#pragma omp for schedule(static)
#endif
    for (int i = 1; i < N - 1; i++) to[i] = (from[i - 1] + from[i + 1]) / 2 + 1; /* race */
  }
  return a[0][1] < 0;
}
