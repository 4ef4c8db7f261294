/* A matrix times a vector, by rows or by columns. */
#include "openmp.h"
int a[20][20], x[20], y[20];
int main(void) {
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < 20; i++)
    for (int k = 0; k < 20; k++)
#ifdef RACY
      y[k] += a[k][i] * x[i]; /* race */
#else
      y[i] += a[i][k] * x[k];
#endif
  return y[0];
}
