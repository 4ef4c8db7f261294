/* A buffer for intermediate results. */
#include "openmp.h"
int a[16][8];
int main(void) {
#ifdef RACY
  int buffer[8];
#pragma omp parallel for num_threads(4)
#else
  int buffer[8] = {0};
#pragma omp parallel for num_threads(4) firstprivate(buffer)
#endif
  for (int i = 0; i < 16; i++) {
    for (int k = 0; k < 8; k++) buffer[k] = i + k;         /* race */
    for (int k = 0; k < 8; k++) a[i][k] = buffer[7 - k]; /* race */
  }
  return a[0][0] < 0;
}
