/* One region after the other. */
#include "openmp.h"
int a[N], total;
int main(void) {
  for (int step = 0; step < 8; step++) {
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < N; i++) a[(i + step * 13) % N] += step;
    total += a[step];
#ifdef RACY
#pragma omp parallel num_threads(4)
    total += a[step]; /* race */
#endif
  }
  return total < 0;
}
