/* Iterations in any order. */
#include "openmp.h"
int a[N], done;
int main(void) {
#pragma omp parallel for num_threads(4) schedule(dynamic, 4)
  for (int i = 0; i < N; i++) {
    a[i] = i;
    if (i % 16 == 0) pause_a_moment();
#ifndef RACY
#pragma omp atomic
#endif
    done++; /* race */
  }
  return done < 1;
}
