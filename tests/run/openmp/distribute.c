/* Iterations of leagues of teams. */
#include "openmp.h"
int a[N], sum;
int main(void) {
#ifdef RACY
#pragma omp teams distribute parallel for num_teams(2) thread_limit(2)
#else
#pragma omp teams distribute parallel for num_teams(2) thread_limit(2) reduction(+ : sum)
#endif
  for (int i = 0; i < N; i++) {
    a[i] = i;
    sum += i; /* race */
  }
  return sum < 0;
}
