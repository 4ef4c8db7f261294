/* An inner loop's variable. */
#include "openmp.h"
int a[32][32];
int main(void) {
  int i, k;
#ifdef RACY
#pragma omp parallel for num_threads(4)
#else
#pragma omp parallel for num_threads(4) collapse(2)
#endif
  for (i = 0; i < 32; i++)
    for (k = 0; k < 32; k++) /* race */
      a[i][k & 31] = i;      /* race */
  return a[0][0] < 0;
}
