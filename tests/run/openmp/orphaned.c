/* Constructs in a function that the region calls. */
#include "openmp.h"
int a[N], sum;
static void fill(void) {
#pragma omp for nowait
  for (int i = 0; i < N; i++) a[i] = i; /* race */
}
static void wait_for_all(void) {
#pragma omp barrier
}
int main(void) {
#pragma omp parallel num_threads(4)
  {
    fill();
#ifndef RACY
    wait_for_all();
#endif
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < N; i++) sum += a[N - 1 - i]; /* race */
  }
  (void)wait_for_all;
  return sum < 0;
}
