/* The library decides how iterations are shared out. */
#include "openmp.h"
int a[N], last;
int main(void) {
#pragma omp parallel for num_threads(4) schedule(auto)
  for (int i = 0; i < N; i++) {
    if (i % 40 == 0) pause_a_moment();
    a[i] = i;
#ifdef RACY
    last = a[i]; /* race */
#endif
  }
  return last < 0;
}
