/* A loop of tasks that the master makes. */
#include "openmp.h"
int a[64], count;
int main(void) {
#pragma omp parallel master taskloop num_tasks(8) num_threads(4)
  for (int i = 0; i < 64; i++) {
    if (i % 8 == 0) pause_a_moment();
    a[i] = i;
#ifndef RACY
#pragma omp atomic
#endif
    count++; /* race */
  }
  return count < 1;
}
