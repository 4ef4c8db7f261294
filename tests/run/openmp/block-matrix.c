/* Tasks for blocks, which add to the same block of the product. */
#include "openmp.h"
enum { B = 3, S = 2 };
int a[B * S][B * S], c[B * S][B * S];
int main(void) {
  for (int i = 0; i < B * S; i++)
    for (int k = 0; k < B * S; k++) a[i][k] = i + k;
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 0; i < B; i++)
    for (int k = 0; k < B; k++)
      for (int m = 0; m < B; m++) {
#ifdef RACY
#pragma omp task depend(in : a[i * S][m * S], a[m * S][k * S])
#else
#pragma omp task depend(in : a[i * S][m * S], a[m * S][k * S]) depend(inout : c[i * S][k * S])
#endif
        {
          pause_a_moment();
          for (int x = 0; x < S * S * S; x++)
            c[i * S + x / 4][k * S + x / 2 % 2] += a[i * S + x / 4][m * S + x % 2] * a[m * S + x % 2][k * S + x / 2 % 2]; /* race */
        }
      }
  return c[0][0] < 0;
}
