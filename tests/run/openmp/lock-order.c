/* Two locks in two orders: a barrier keeps them apart, or nothing does. */
#include "openmp.h"
omp_lock_t a, b;
int count;
static void both(omp_lock_t *first, omp_lock_t *second) {
  omp_set_lock(first);
  omp_set_lock(second); /* race */
  count++;
  omp_unset_lock(second);
  omp_unset_lock(first);
}
int main(void) {
  omp_init_lock(&a), omp_init_lock(&b);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) both(&a, &b);
#ifdef RACY
    usleep(20000);
#else
#pragma omp barrier
#endif
    if (omp_get_thread_num() == 1) both(&b, &a);
  }
  omp_destroy_lock(&a), omp_destroy_lock(&b);
  return count != 2;
}
