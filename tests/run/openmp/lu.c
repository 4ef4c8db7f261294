/* Elimination without pivots: rows below the pivot's are each other's business in no way, but steps are. */
#include "openmp.h"
double a[16][16];
int main(void) {
  for (int i = 0; i < 16; i++)
    for (int k = 0; k < 16; k++) a[i][k] = i == k ? 20 : 1;
#pragma omp parallel num_threads(4)
  for (int p = 0; p < 15; p++) {
#ifdef RACY
#pragma omp for schedule(static) nowait
#else
#pragma omp for schedule(static)
#endif
    for (int i = p + 1; i < 16; i++) {
      double f = a[i][p] / a[p][p];                         /* race */
      for (int k = p; k < 16; k++) a[i][k] -= f * a[p][k]; /* race */
    }
  }
  return a[0][0] < 0;
}
