/* A loop whose iterations depend on each other. */
#include "openmp.h"
int a[N + 1];
int main(void) {
#pragma omp parallel for num_threads(4) schedule(static)
  for (int i = 0; i < N; i++)
#ifdef RACY
    a[i] = a[i + 1] + 1; /* race */
#else
    a[i] = a[i] + 1;
#endif
  return a[0] < 0;
}
