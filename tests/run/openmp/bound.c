/* The number of elements is changed by who goes through them. */
#include "openmp.h"
int a[N + 4], count = N;
int main(void) {
#pragma omp parallel num_threads(4)
  {
    int t = omp_get_thread_num();
    for (int i = t; i < count; i += 4) { /* race */
#ifdef RACY
      if (a[i] == 0 && i == 8) count--; /* race */
#else
      a[i] = i;
#endif
    }
  }
  return count < 1;
}
