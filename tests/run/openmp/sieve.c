/* Multiples are crossed out, some of them by several threads. */
#include "openmp.h"
char crossed[N];
int main(void) {
#pragma omp parallel for num_threads(4) schedule(static, 1)
  for (int p = 2; p < 15; p++)
    for (int m = p * p; m < N; m += p) {
#ifndef RACY
#pragma omp atomic write
#endif
      crossed[m] = 1; /* race */
    }
  return crossed[2];
}
