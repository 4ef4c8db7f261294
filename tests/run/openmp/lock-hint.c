/* Locks that were made with a hint. */
/* only: clang */
#include "openmp.h"
omp_lock_t lock;
omp_nest_lock_t nest;
int count;
int main(void) {
  omp_init_lock_with_hint(&lock, omp_sync_hint_uncontended);
  omp_init_nest_lock_with_hint(&nest, omp_sync_hint_contended);
#pragma omp parallel num_threads(4)
  {
#ifdef RACY
    if (omp_get_thread_num() == 1) {
      omp_set_nest_lock(&nest);
      count++; /* race */
      omp_unset_nest_lock(&nest);
    } else
#endif
    {
      omp_set_lock(&lock);
      count++; /* race */
      omp_unset_lock(&lock);
    }
  }
  omp_destroy_lock(&lock), omp_destroy_nest_lock(&nest);
  return count < 1;
}
