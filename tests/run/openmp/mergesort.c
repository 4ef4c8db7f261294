/* Both halves are sorted before they are merged. */
#include "openmp.h"
#include <string.h>
int a[64], buffer[64];
static void sort(int low, int high) {
  if (high - low < 2) return;
  int middle = (low + high) / 2;
#pragma omp task if (high - low > 8)
  {
    if (high - low > 30) pause_a_moment();
    sort(low, middle);
  }
#pragma omp task if (high - low > 8)
  {
    if (high - low > 30) pause_a_moment();
    sort(middle, high);
  }
#ifdef RACY
  if (high - low < 64)
#endif
  {
#pragma omp taskwait
  }
  for (int i = low, k = middle, to = low; to < high; to++)
    buffer[to] = k == high || (i < middle && a[i] <= a[k]) ? a[i++] : a[k++]; /* race */
  for (int i = low; i < high; i++) a[i] = buffer[i];                          /* race */
}
int main(void) {
  for (int i = 0; i < 64; i++) a[i] = (i * 37 + 11) % 64;
#pragma omp parallel num_threads(4)
#pragma omp single
  sort(0, 64);
  return a[0] < 0;
}
