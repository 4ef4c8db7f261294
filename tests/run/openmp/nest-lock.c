/* A lock that its holder may take again. */
#include "openmp.h"
omp_nest_lock_t lock;
int count;
static void add(int n) {
  omp_set_nest_lock(&lock);
  count += n; /* race */
  if (n > 1) add(n - 1);
  omp_unset_nest_lock(&lock);
#ifdef RACY
  count--; /* race */
#endif
}
int main(void) {
  omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(4)
  add(3);
  omp_destroy_nest_lock(&lock);
  return count < 1;
}
