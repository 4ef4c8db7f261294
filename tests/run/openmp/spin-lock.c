/* A lock of one word. */
#include "openmp.h"
int lock, count;
static void take(void) {
  int was = 1;
  while (was) {
#pragma omp atomic capture acquire
    {
      was = lock;
      lock = 1;
    }
    if (was) usleep(1);
  }
}
static void give(void) {
#pragma omp atomic write release
  lock = 0;
}
int main(void) {
#pragma omp parallel num_threads(4)
  for (int k = 0; k < 3; k++) {
    take();
    count++; /* race */
    give();
#ifdef RACY
    if (count > 1000) take(); /* race */
#endif
  }
  return count < 1;
}
