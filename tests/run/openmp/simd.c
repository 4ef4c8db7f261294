/* Vectors of a loop that threads share. */
#include "openmp.h"
float a[N + 8], b[N + 8];
int main(void) {
  for (int i = 0; i < N + 8; i++) b[i] = (float)i;
#pragma omp parallel for simd num_threads(4) schedule(static)
  for (int i = 0; i < N; i++)
#ifdef RACY
    a[i + 4] = a[i] + b[i]; /* race */
#else
    a[i] = a[i] + b[i];
#endif
  return a[0] < 0;
}
