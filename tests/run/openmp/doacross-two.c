/* Iterations of two loops wait for those above and to the left. */
#include "openmp.h"
int a[10][10];
int main(void) {
#pragma omp parallel for ordered(2) num_threads(4) schedule(static, 1)
  for (int i = 1; i < 10; i++)
    for (int k = 1; k < 10; k++) {
#ifdef RACY
#pragma omp ordered depend(sink : i, k - 1)
#else
#pragma omp ordered depend(sink : i - 1, k) depend(sink : i, k - 1)
#endif
      a[i][k] = a[i - 1][k] + a[i][k - 1] + 1; /* race */
#pragma omp ordered depend(source)
    }
  return a[1][1] != 1;
}
