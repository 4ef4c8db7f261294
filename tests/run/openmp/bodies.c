/* Forces between bodies: each for itself, or for both of a pair. */
#include "openmp.h"
enum { BODIES = 24 };
double x[BODIES], force[BODIES];
int main(void) {
  for (int i = 0; i < BODIES; i++) x[i] = i;
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < BODIES; i++)
    for (int k = 0; k < BODIES; k++) {
      if (i == k) continue;
      double f = 1 / (x[i] - x[k]);
      force[i] += f; /* race */
#ifdef RACY
      force[k] -= f; /* race */
#endif
    }
  return force[0] > 0;
}
