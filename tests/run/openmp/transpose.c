/* A matrix is transposed in its place: each pair once, or twice. */
#include "openmp.h"
int a[20][20];
int main(void) {
#pragma omp parallel for num_threads(4) schedule(static, 1)
  for (int i = 0; i < 20; i++)
#ifdef RACY
    for (int k = 0; k < 20; k++) {
#else
    for (int k = i + 1; k < 20; k++) {
#endif
      int t = a[i][k];   /* race */
      a[i][k] = a[k][i]; /* race */
      a[k][i] = t;       /* race */
    }
  return a[0][0];
}
