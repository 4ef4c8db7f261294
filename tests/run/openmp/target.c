/* A region for a device, on the host. */
#include "openmp.h"
int a[N], sum;
int main(void) {
#ifdef RACY
#pragma omp target parallel for map(tofrom : a, sum) num_threads(4)
#else
#pragma omp target parallel for map(tofrom : a, sum) num_threads(4) reduction(+ : sum)
#endif
  for (int i = 0; i < N; i++) {
    a[i] = i;
    sum += a[i]; /* race */
  }
  return sum < 0;
}
