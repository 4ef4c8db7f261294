/* A loop downwards, by threes. */
#include "openmp.h"
int a[N + 3];
int main(void) {
#pragma omp parallel for num_threads(4)
  for (int i = N - 1; i >= 2; i -= 3) {
#ifdef RACY
    for (int k = 0; k < 4; k++) a[i + 1 - k] = i; /* race */
#else
    for (int k = 0; k < 3; k++) a[i - k] = i;
#endif
  }
  return a[0] < 0;
}
