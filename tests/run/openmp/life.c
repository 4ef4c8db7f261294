/* Cells live and die by their neighbours: those of the last step. */
#include "openmp.h"
enum { W = 18 };
char cell[2][W][W];
int main(void) {
  for (int i = 0; i < W * W; i++) cell[0][i / W][i % W] = i % 3 == 0;
#pragma omp parallel num_threads(4)
  for (int step = 0; step < 4; step++) {
    char(*from)[W] = cell[step % 2], (*to)[W] = cell[1 - step % 2];
#ifdef RACY
#pragma omp for nowait
#else
#pragma omp for
#endif
    for (int i = 1; i < W - 1; i++)
      for (int k = 1; k < W - 1; k++)
        to[i][k] = from[i - 1][k] + from[i + 1][k] + from[i][k - 1] + from[i][k + 1] == 2; /* race */
  }
  return cell[0][0][0] > 1;
}
