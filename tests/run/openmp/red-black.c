/* Elements of one colour from those of the other, or all from all. */
#include "openmp.h"
float a[N + 2];
int main(void) {
  for (int step = 0; step < 4; step++) {
#ifdef RACY
#pragma omp parallel for num_threads(4)
    for (int i = 1; i <= N; i++) a[i] = (a[i - 1] + a[i + 1]) / 2; /* race */
#else
#pragma omp parallel for num_threads(4)
    for (int i = 1 + step % 2; i <= N; i += 2) a[i] = (a[i - 1] + a[i + 1]) / 2;
#endif
  }
  return a[0] > 0;
}
