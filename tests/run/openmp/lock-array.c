/* A lock for each bucket. */
#include "openmp.h"
enum { B = 8 };
omp_lock_t lock[B];
int count[B];
int main(void) {
  for (int k = 0; k < B; k++) omp_init_lock(&lock[k]);
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < N; i++) {
    int k = i * 5 % B;
#ifdef RACY
    omp_lock_t *mine = &lock[i / (N / 4) % B];
#else
    omp_lock_t *mine = &lock[k];
#endif
    omp_set_lock(mine);
    count[k]++; /* race */
    omp_unset_lock(mine);
  }
  for (int k = 0; k < B; k++) omp_destroy_lock(&lock[k]);
  return count[0] < 1;
}
