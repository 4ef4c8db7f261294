/* Iterations in any order: each has its own element, or its neighbour's, too. */
#include "openmp.h"
int a[N + 1];
int main(void) {
#pragma omp parallel for num_threads(4) schedule(nonmonotonic : dynamic)
  for (int i = 0; i < N; i++) {
    if (i % 40 == 0) pause_a_moment();
    a[i] = i; /* race */
#ifdef RACY
    a[i + 1] = i; /* race */
#endif
  }
  return a[0] < 0;
}
