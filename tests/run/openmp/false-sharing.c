/* Neighbours in one line of the cache are no race. */
#include "openmp.h"
int count[4];
int main(void) {
#pragma omp parallel num_threads(4)
  {
    int t = omp_get_thread_num();
#ifdef RACY
    t /= 2;
#endif
    for (int i = 0; i < N; i++) count[t]++; /* race */
  }
  return count[0] < 1;
}
