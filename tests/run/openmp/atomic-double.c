/* Updates that no single instruction does. */
#include "openmp.h"
double product = 1;
int main(void) {
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < N; i++) {
#ifndef RACY
#pragma omp atomic
#endif
    product *= 1.0 + i % 2 * 0.001; /* race */
  }
  return product < 1;
}
