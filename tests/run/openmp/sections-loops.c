/* A loop in each section. */
#include "openmp.h"
int a[N], b[N];
int main(void) {
  int i = 0;
#ifdef RACY
#pragma omp parallel sections num_threads(2)
#else
#pragma omp parallel sections num_threads(2) private(i)
#endif
  {
#pragma omp section
    {
      pause_a_moment();
      for (i = 0; i < N; i++) a[i % N] = 1; /* race */
    }
#pragma omp section
    {
      pause_a_moment();
      for (i = 0; i < N; i++) b[i % N] = 1; /* race */
    }
  }
  return i > N;
}
