/* A variable of the loop. */
#include "openmp.h"
int a[N];
int main(void) {
  int t = 0;
#ifdef RACY
#pragma omp parallel for num_threads(4)
#else
#pragma omp parallel for num_threads(4) private(t)
#endif
  for (int i = 0; i < N; i++) {
    t = i * 2;  /* race */
    a[i] = t;   /* race */
  }
  return a[0] < 0;
}
