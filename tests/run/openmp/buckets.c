/* Each thread counts for itself, then all are added. */
#include "openmp.h"
int total[8];
int main(void) {
#pragma omp parallel num_threads(4)
  {
    int mine[8] = {0};
#pragma omp for nowait
    for (int i = 0; i < N; i++) mine[i % 8]++;
#ifndef RACY
#pragma omp critical
#endif
    for (int k = 0; k < 8; k++) total[k] += mine[k]; /* race */
  }
  return total[0] < 1;
}
