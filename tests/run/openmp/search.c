/* Who finds it says so, and the others give up. */
#include "openmp.h"
int a[N], found;
int main(void) {
  a[N / 2] = 1;
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < N; i++) {
    int over;
#ifdef RACY
    over = found;            /* race */
    if (a[i] == 1) found = 1; /* race */
#else
#pragma omp atomic read
    over = found;
    if (a[i] == 1) {
#pragma omp atomic write
      found = 1;
    }
#endif
    if (over) continue; /* race */
    a[i] += 2;
  }
  return found != 1;
}
