/* Two buffers, filled and read in turn. */
#include "openmp.h"
int buffer[2][4], got[4];
int main(void) {
#pragma omp parallel num_threads(4)
  {
    int t = omp_get_thread_num();
    for (int step = 0; step < 6; step++) {
#ifdef RACY
      int *b = buffer[0];
#else
      int *b = buffer[step % 2];
#endif
      b[t] = step; /* race */
#pragma omp barrier
      got[t] += b[(t + 1) % 4]; /* race */
    }
  }
  return got[0] < 1;
}
