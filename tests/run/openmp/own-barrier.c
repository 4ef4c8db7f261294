/* A barrier of the program's own, by a counter. */
#include "openmp.h"
int come, x[4], sum[4];
int main(void) {
#pragma omp parallel num_threads(4)
  {
    int t = omp_get_thread_num(), n = 0;
    x[t] = t + 1; /* race */
#pragma omp atomic update release
    come++;
#ifdef RACY
    n = 4;
#endif
    while (n < 4) {
#pragma omp atomic read acquire
      n = come;
      if (n < 4) usleep(1);
    }
    sum[t] = x[(t + 1) % 4]; /* race */
  }
  return sum[0] > 4;
}
