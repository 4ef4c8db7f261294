/* A value is exchanged for another. */
#include "openmp.h"
int slot, sum;
int main(void) {
#pragma omp parallel for num_threads(4) reduction(+ : sum)
  for (int i = 1; i <= N; i++) {
    int old;
#ifndef RACY
#pragma omp atomic capture
#endif
    {
      old = slot; /* race */
      slot = i;   /* race */
    }
    sum += old;
  }
  return sum < 0;
}
