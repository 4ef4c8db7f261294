/* Locks of the library. */
#include "openmp.h"
omp_lock_t lock, other;
int count;
int main(void) {
  omp_init_lock(&lock), omp_init_lock(&other);
#pragma omp parallel num_threads(4)
  {
#ifdef RACY
    omp_lock_t *l = omp_get_thread_num() ? &lock : &other;
#else
    omp_lock_t *l = &lock;
#endif
    omp_set_lock(l);
    count++; /* race */
    omp_unset_lock(l);
  }
  omp_destroy_lock(&lock), omp_destroy_lock(&other);
  return count != 4;
}
