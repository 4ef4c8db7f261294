/* Neighbours change places: in turn the even pairs and the odd ones. */
#include "openmp.h"
int a[40];
int main(void) {
  for (int i = 0; i < 40; i++) a[i] = 40 - i;
  for (int step = 0; step < 40; step++) {
#ifdef RACY
#pragma omp parallel for num_threads(4) schedule(static, 1)
    for (int i = 0; i < 39; i++) {
#else
#pragma omp parallel for num_threads(4) schedule(static, 1)
    for (int i = step % 2; i < 39; i += 2) {
#endif
      if (a[i] > a[i + 1]) { /* race */
        int t = a[i];        /* race */
        a[i] = a[i + 1];     /* race */
        a[i + 1] = t;        /* race */
      }
    }
#ifdef RACY
    break;
#endif
  }
  return a[0] < 0;
}
