/* A reduction over a part of an array on the heap. */
#include "openmp.h"
#include <stdlib.h>
int main(void) {
  int *p = calloc(32, sizeof *p);
#ifdef RACY
#pragma omp parallel for num_threads(4) reduction(+ : p[0 : 16])
#else
#pragma omp parallel for num_threads(4) reduction(+ : p[0 : 32])
#endif
  for (int i = 0; i < N; i++) {
#ifdef RACY
    p[i % 16]++;
    if (i % 4 == 0) *(p - 0) += 0;
#else
    p[i % 32]++;
#endif
  }
#ifdef RACY
#pragma omp parallel num_threads(4)
  p[20]++; /* race */
#endif
  int bad = p[0] < 1;
  free(p);
  return bad;
}
