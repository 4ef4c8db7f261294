/* Each element from the next one: the old values, or whatever is there. */
#include "openmp.h"
int a[N + 1], old[N + 1];
int main(void) {
  for (int i = 0; i <= N; i++) a[i] = old[i] = i;
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < N; i++) {
#ifdef RACY
    a[i] = a[i + 1] + 1; /* race */
#else
    a[i] = old[i + 1] + 1;
#endif
  }
  return a[0] < 0;
}
