/* A product of matrices: the innermost loop adds up, so it is not shared out. */
#include "openmp.h"
int a[12][12], b[12][12], c[12][12];
int main(void) {
  for (int i = 0; i < 144; i++) a[i / 12][i % 12] = b[i / 12][i % 12] = i;
#ifdef RACY
#pragma omp parallel for collapse(3) num_threads(5)
#else
#pragma omp parallel for collapse(2) num_threads(5)
#endif
  for (int i = 0; i < 12; i++)
    for (int k = 0; k < 12; k++)
      for (int m = 0; m < 12; m++) c[i][k] += a[i][m] * b[m][k]; /* race */
  return c[0][0] < 0;
}
