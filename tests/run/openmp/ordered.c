/* Ordered sections come one after the other. */
#include "openmp.h"
int last, wrong;
int main(void) {
#pragma omp parallel for ordered num_threads(4) schedule(static, 1)
  for (int i = 0; i < 64; i++) {
#ifdef RACY
    wrong += last > i; /* race */
#endif
#pragma omp ordered
    {
      wrong += last > i; /* race */
      last = i;          /* race */
    }
  }
  return wrong < 0;
}
