/* Tickets: each number once. */
#include "openmp.h"
int next, taken[N];
int main(void) {
#pragma omp parallel num_threads(4) /* race */
  for (int k = 0; k < N / 4; k++) { /* race */
    int mine;
#ifdef RACY
    mine = next++; /* race */
#else
#pragma omp atomic capture
    mine = next++;
#endif
    if (mine < N) taken[mine] = 1; /* race */
  }
  return taken[0] != 1;
}
