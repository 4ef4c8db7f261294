/* Two loops that share the iterations in other ways. */
#include "openmp.h"
int a[N], b[N];
int main(void) {
#pragma omp parallel num_threads(4)
  {
#ifdef RACY
#pragma omp for schedule(dynamic, 8) nowait
#else
#pragma omp for schedule(dynamic, 8)
#endif
    for (int i = 0; i < N; i++) {
      if (i % 64 == 0) pause_a_moment();
      a[i] = i; /* race */
    }
#pragma omp for
    for (int i = 0; i < N; i++) b[i] = a[N - 1 - i]; /* race */
  }
  return b[0] < 0;
}
