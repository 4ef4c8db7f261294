/* A minimum by comparing and exchanging. */
#include "openmp.h"
int least = N;
int main(void) {
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < N; i++) {
    int x = (i * 37) % N;
#ifdef RACY
    if (x < least) least = x; /* race */
#else
#pragma omp atomic compare
    if (x < least) { least = x; }
#endif
  }
  return least < 0;
}
