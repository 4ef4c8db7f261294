/* Loops of the same bounds and a static schedule give each thread the same iterations: no barrier is needed between them. */
#include "openmp.h"
int a[N], b[N];
int main(void) {
#pragma omp parallel num_threads(4)
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < N; i++) a[i] = i; /* race */
#ifdef RACY
#pragma omp for schedule(static, 3)
#else
#pragma omp for schedule(static)
#endif
    for (int i = 0; i < N; i++) b[i] = a[i]; /* race */
  }
  return b[1] != 1;
}
