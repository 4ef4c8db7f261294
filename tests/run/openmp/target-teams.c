/* Leagues of teams of a device, on the host. */
#include "openmp.h"
int a[N], b[N + 1];
int main(void) {
#pragma omp target data map(tofrom : a, b)
  {
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(2)
    for (int i = 0; i < N; i++) {
      a[i] = b[i]; /* race */
#ifdef RACY
      b[i + 1] = a[i]; /* race */
#endif
    }
  }
  return a[0];
}
