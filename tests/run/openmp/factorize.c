/* Tasks of a factorisation by blocks: the diagonal, what is below it, and the rest. */
#include "openmp.h"
enum { B = 4 };
double a[B][B];
int main(void) {
  for (int i = 0; i < B; i++)
    for (int k = 0; k < B; k++) a[i][k] = i == k ? 9 : 1;
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int p = 0; p < B; p++) {
#pragma omp task depend(inout : a[p][p])
    {
      pause_a_moment();
      a[p][p] = a[p][p] / 2 + 1; /* race */
    }
    for (int i = p + 1; i < B; i++) {
#ifdef RACY
#pragma omp task depend(inout : a[i][p])
#else
#pragma omp task depend(in : a[p][p]) depend(inout : a[i][p])
#endif
      {
        pause_a_moment();
        a[i][p] /= a[p][p]; /* race */
      }
    }
    for (int i = p + 1; i < B; i++)
      for (int k = p + 1; k <= i; k++) {
#pragma omp task depend(in : a[i][p], a[k][p]) depend(inout : a[i][k])
        a[i][k] -= a[i][p] * a[k][p]; /* race */
      }
  }
  return a[0][0] < 0;
}
