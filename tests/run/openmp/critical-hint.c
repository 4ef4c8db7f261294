/* A critical section with a hint. */
#include "openmp.h"
int count;
int main(void) {
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < 40; i++) {
#pragma omp critical(counting) hint(omp_sync_hint_contended)
    count++; /* race */
#ifdef RACY
    if (i == 39) count = 0; /* race */
#endif
  }
  return count < 0;
}
