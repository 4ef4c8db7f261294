/* Solutions are counted by tasks. */
#include "openmp.h"
#include <string.h>
enum { Q = 5 };
int solutions;
static void place(int row, const char *columns) {
  if (row == Q) {
#ifndef RACY
#pragma omp atomic
#endif
    solutions++; /* race */
    return;
  }
  for (int c = 0; c < Q; c++) {
    int ok = 1;
    for (int r = 0; r < row; r++) ok &= columns[r] != c && columns[r] - c != r - row && columns[r] - c != row - r;
    if (!ok) continue;
    char next[Q];
    memcpy(next, columns, Q);
    next[row] = (char)c;
#pragma omp task firstprivate(next)
    {
      if (row == 1) pause_a_moment();
      place(row + 1, next);
    }
  }
#pragma omp taskwait
}
int main(void) {
  char none[Q] = {0};
#pragma omp parallel num_threads(4)
#pragma omp single
  place(0, none);
  return solutions < 1;
}
