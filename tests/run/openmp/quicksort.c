/* Each half is a task's: they meet nowhere, or in one element. */
#include "openmp.h"
int a[64];
static void sort(int low, int high) {
  if (low >= high) return;
  int at = low, pivot = a[high]; /* race */
  for (int i = low; i < high; i++)
    if (a[i] < pivot) { /* race */
      int t = a[i];     /* race */
      a[i] = a[at];     /* race */
      a[at++] = t;      /* race */
    }
  a[high] = a[at]; /* race */
  a[at] = pivot;   /* race */
  if (high - low > 30) pause_a_moment();
#ifdef RACY
  int end = at;
#else
  int end = at - 1;
#endif
#pragma omp task if (high - low > 8)
  {
    if (high - low > 30) pause_a_moment();
    if (end < high) sort(low, end);
  }
#pragma omp task if (high - low > 8)
  {
    if (high - low > 30) pause_a_moment();
    sort(at + (end < at), high);
  }
}
int main(void) {
  for (int i = 0; i < 64; i++) a[i] = (i * 37 + 11) % 64;
#pragma omp parallel num_threads(4)
#pragma omp single
  sort(0, 63);
  return a[0] < 0;
}
