/* A maximum that is looked at before the critical section. */
#include "openmp.h"
int most;
int main(void) {
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < N; i++) {
#ifdef RACY
    if (i > most) /* race */
#endif
    {
#pragma omp critical
      if (i > most) most = i; /* race */
    }
  }
  return most != N - 1;
}
