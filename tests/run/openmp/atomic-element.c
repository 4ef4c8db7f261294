/* An element is updated; which one, is computed by other means. */
#include "openmp.h"
int count[8], next;
static int choose(int i) {
#ifdef RACY
  return next++ + i; /* race */
#else
  return i;
#endif
}
int main(void) {
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < N; i++) {
    int k = choose(i) & 7;
#pragma omp atomic
    count[k] += 1;
  }
  return count[0] < 0;
}
