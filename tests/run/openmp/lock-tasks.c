/* Tasks take a lock. */
#include "openmp.h"
omp_lock_t lock;
int sum;
int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 0; i < 8; i++) {
#pragma omp task firstprivate(i)
    {
      pause_a_moment();
      omp_set_lock(&lock);
#ifndef RACY
      sum += i;
#endif
      omp_unset_lock(&lock);
#ifdef RACY
      sum += i; /* race */
#endif
    }
  }
  omp_destroy_lock(&lock);
  return sum < 0;
}
