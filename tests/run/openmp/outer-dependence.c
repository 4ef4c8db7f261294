/* Each row from the one before: columns may be shared out, rows may not. */
#include "openmp.h"
int a[24][24];
int main(void) {
#ifdef RACY
#pragma omp parallel for num_threads(4)
  for (int i = 1; i < 24; i++)
    for (int k = 0; k < 24; k++) a[i][k] = a[i - 1][k] + 1; /* race */
#else
  for (int i = 1; i < 24; i++)
#pragma omp parallel for num_threads(4)
    for (int k = 0; k < 24; k++) a[i][k] = a[i - 1][k] + 1;
#endif
  return a[0][0];
}
