/* The least of all. */
#include "openmp.h"
int a[N];
int main(void) {
  int least = N;
  for (int i = 0; i < N; i++) a[i] = (i * 37) % N;
#ifdef RACY
#pragma omp parallel for num_threads(4)
#else
#pragma omp parallel for num_threads(4) reduction(min : least)
#endif
  for (int i = 0; i < N; i++)
    if (a[i] < least) least = a[i]; /* race */
  return least > N;
}
