/* Iterations that wait for the one before. */
#include "openmp.h"
int a[N];
int main(void) {
#pragma omp parallel for ordered(1) num_threads(4) schedule(static, 1)
  for (int i = 1; i < 64; i++) {
#ifdef RACY
#pragma omp ordered depend(sink : i - 2)
#else
#pragma omp ordered depend(sink : i - 1)
#endif
    a[i] = a[i - 1] + 1; /* race */
#pragma omp ordered depend(source)
  }
  return a[1] != 1;
}
