/* The same, with chunks that become smaller, and what they made used behind the loop. */
#include "openmp.h"
int a[N], b[N];
int main(void) {
#pragma omp parallel num_threads(4)
  {
#ifdef RACY
#pragma omp for schedule(guided) nowait
#else
#pragma omp for schedule(guided)
#endif
    for (int i = 0; i < N; i++) {
      a[i] = i; /* race */
      if (i % 16 == 0) pause_a_moment();
    }
#pragma omp for schedule(dynamic)
    for (int i = 0; i < N; i++) b[i] = a[N - 1 - i]; /* race */
  }
  return b[0] < 0;
}
