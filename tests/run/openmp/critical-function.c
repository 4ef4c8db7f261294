/* The section calls functions; one of them is called from elsewhere, too. */
#include "openmp.h"
int total;
static void add(int n) { total += n; /* race */ }
int main(void) {
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < 40; i++) {
    if (i % 2) {
#pragma omp critical
      add(i);
    } else {
#ifdef RACY
      add(-i);
#else
#pragma omp critical
      add(-i);
#endif
    }
  }
  return total < -2000;
}
