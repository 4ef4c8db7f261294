/* Money goes from one account to the next: both are locked, in one order, or only the first. */
#include "openmp.h"
omp_lock_t lock[4];
int money[4] = {100, 100, 100, 100};
static void move(int from, int to) {
  int low = from < to ? from : to, high = from < to ? to : from;
  omp_set_lock(&lock[low]);
#ifndef RACY
  omp_set_lock(&lock[high]);
#endif
  money[from]--; /* race */
  money[to]++;   /* race */
#ifndef RACY
  omp_unset_lock(&lock[high]);
#endif
  omp_unset_lock(&lock[low]);
  (void)high;
}
int main(void) {
  for (int k = 0; k < 4; k++) omp_init_lock(&lock[k]);
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < 40; i++) move(i % 4, (i + 1) % 4);
  for (int k = 0; k < 4; k++) omp_destroy_lock(&lock[k]);
  return money[0] < 1;
}
