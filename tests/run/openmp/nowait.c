/* A loop that uses in another order what the loop before it made. */
#include "openmp.h"
int a[N], b[N];
int main(void) {
#pragma omp parallel num_threads(4)
  {
#ifdef RACY
#pragma omp for schedule(static) nowait
#else
#pragma omp for schedule(static)
#endif
    for (int i = 0; i < N; i++) a[i] = i; /* race */
#pragma omp for schedule(static)
    for (int i = 0; i < N; i++) b[i] = a[N - 1 - i]; /* race */
  }
  return b[0] != N - 1;
}
