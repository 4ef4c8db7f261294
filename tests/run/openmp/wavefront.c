/* Diagonals of a table, each from the two before it. */
#include "openmp.h"
enum { W = 16 };
int a[W][W];
int main(void) {
#pragma omp parallel num_threads(4)
  for (int d = 2; d < 2 * W - 1; d++) {
    int first = d < W ? 1 : d - W + 1, last = d < W ? d - 1 : W - 1;
#ifdef RACY
#pragma omp for schedule(static, 1) nowait
#else
#pragma omp for schedule(static, 1)
#endif
    for (int i = first; i <= last; i++) a[i][d - i] = a[i - 1][d - i] + a[i][d - i - 1] + a[i - 1][d - i - 1] + 1; /* race */
  }
  return a[0][0];
}
