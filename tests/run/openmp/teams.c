/* A league of teams on the host. */
#include "openmp.h"
int a[N], done;
int main(void) {
#pragma omp teams distribute parallel for num_teams(2) thread_limit(2) /* race */
  for (int i = 0; i < N; i++) {
    a[i] = i;
#ifndef RACY
#pragma omp atomic
#endif
    done++; /* race */
  }
  return done < 1;
}
