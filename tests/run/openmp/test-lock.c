/* A lock that was not got protects nothing. */
#include "openmp.h"
omp_lock_t lock;
int count;
int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel num_threads(4)
  for (int k = 0; k < 5; k++) {
#ifdef RACY
    int got = omp_test_lock(&lock);
    count++; /* race */
    if (got) pause_a_moment(), omp_unset_lock(&lock);
#else
    while (!omp_test_lock(&lock)) pause_a_moment();
    count++;
    omp_unset_lock(&lock);
#endif
  }
  omp_destroy_lock(&lock);
  return count < 1;
}
