/* A loop that is cancelled; its result is used behind it. */
#include "openmp.h"
int a[N], found = -1;
int main(void) {
  a[50] = 1;
#pragma omp parallel num_threads(4)
  {
#pragma omp for
    for (int i = 0; i < N; i++) {
      if (a[i] == 1) {
#ifdef RACY
        found = i; /* race */
#else
#pragma omp atomic write
        found = i;
#endif
#pragma omp cancel for
      }
#ifdef RACY
      if (found == i + 1000) a[i] = 2; /* race */
#endif
#pragma omp cancellation point for
    }
  }
  return found != 50;
}
