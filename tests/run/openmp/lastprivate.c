/* The last iteration's value. */
#include "openmp.h"
int main(void) {
  int x = -1;
#ifdef RACY
#pragma omp parallel for num_threads(4)
#else
#pragma omp parallel for num_threads(4) lastprivate(x)
#endif
  for (int i = 0; i < N; i++) x = i; /* race */
  return x < 0;
}
