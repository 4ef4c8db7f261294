/* Where to write is in a table: each place once, or some places twice. */
#include "openmp.h"
int a[N], where[N];
int main(void) {
  for (int i = 0; i < N; i++) where[i] = (i * 7) % N;
#ifdef RACY
  where[N - 1] = where[0];
#endif
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < N; i++) a[where[i]] += i; /* race */
  return a[0] < 0;
}
