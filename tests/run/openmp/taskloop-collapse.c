/* Two loops make tasks together. */
#include "openmp.h"
int a[8][8], last;
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
#pragma omp taskloop collapse(2) grainsize(8)
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 8; k++) {
      if (k == 0) pause_a_moment();
      a[i][k] = i * k;
#ifdef RACY
      last = k; /* race */
#endif
    }
  return a[1][1] != 1 || last > 8;
}
