/* What is ordered is the section, not the iteration. */
#include "openmp.h"
int a[N], at;
int main(void) {
#pragma omp parallel for ordered num_threads(4) schedule(static, 1)
  for (int i = 0; i < 40; i++) {
#ifdef RACY
    at = i; /* race */
#endif
#pragma omp ordered
    {
      a[i] = at++; /* race */
    }
  }
  return a[0] < 0;
}
