/* Two names of one array. */
#include "openmp.h"
int a[N + 40];
static void copy(int *to, const int *from) {
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < N / 2; i++) to[i] = from[i] + 1; /* race */
}
int main(void) {
#ifdef RACY
  copy(a, a + 10);
#else
  copy(a, a + N / 2);
#endif
  return a[0] != 1;
}
