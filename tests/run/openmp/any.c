/* Is there one? */
#include "openmp.h"
int a[N];
int main(void) {
  int any = 0, all = 1;
#ifdef RACY
#pragma omp parallel for num_threads(4) reduction(&& : all)
#else
#pragma omp parallel for num_threads(4) reduction(|| : any) reduction(&& : all)
#endif
  for (int i = 0; i < N; i++) {
    any = any || a[i] == 0; /* race */
    all = all && a[i] == 0;
  }
  return !any || !all;
}
