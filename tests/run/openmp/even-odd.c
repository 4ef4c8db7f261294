/* Odd elements from even ones, which nobody changes, or from all. */
#include "openmp.h"
int a[N];
int main(void) {
#ifdef RACY
  int step = 1;
#else
  int step = 2;
#endif
#pragma omp parallel for num_threads(4) schedule(static, 2)
  for (int i = 1; i < N; i += step) a[i] = a[i - 1] + 1; /* race */
  return a[1] != 1;
}
