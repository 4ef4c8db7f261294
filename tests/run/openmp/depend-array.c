/* A sweep over blocks: each needs those above and to the left. */
#include "openmp.h"
enum { B = 6 };
int a[B][B];
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 1; i < B; i++)
    for (int k = 1; k < B; k++) {
#ifdef RACY
#pragma omp task depend(in : a[i - 1][k]) depend(out : a[i][k]) firstprivate(i, k)
#else
#pragma omp task depend(in : a[i - 1][k], a[i][k - 1]) depend(out : a[i][k]) firstprivate(i, k)
#endif
      {
        pause_a_moment();
        a[i][k] = a[i - 1][k] + a[i][k - 1] + 1; /* race */
      }
    }
  return a[1][1] != 1;
}
