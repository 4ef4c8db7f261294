/* Increments at places that the data says. */
#include "openmp.h"
int count[16];
int main(void) {
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < N; i++) {
#ifndef RACY
#pragma omp atomic
#endif
    count[i * 7 % 16]++; /* race */
  }
  return count[0] < 1;
}
