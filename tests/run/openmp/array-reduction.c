/* A reduction of many values. */
#include "openmp.h"
int main(void) {
  int count[64] = {0};
#ifdef RACY
#pragma omp parallel for num_threads(4)
#else
#pragma omp parallel for num_threads(4) reduction(+ : count[:64])
#endif
  for (int i = 0; i < N; i++) count[i % 64]++; /* race */
  return count[0] < 1;
}
