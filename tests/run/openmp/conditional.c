/* The last value that was assigned. */
#include "openmp.h"
int a[N];
int main(void) {
  int last = -1;
#ifdef RACY
#pragma omp parallel for num_threads(4)
#else
#pragma omp parallel for num_threads(4) lastprivate(conditional : last)
#endif
  for (int i = 0; i < N; i++)
    if (a[i] == i % 3) last = i; /* race */
  return last < 0;
}
