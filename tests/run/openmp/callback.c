/* A function that is handed to the C library. */
#include "openmp.h"
#include <stdlib.h>
int compared;
static int compare(const void *a, const void *b) {
#ifndef RACY
#pragma omp atomic
#endif
  compared++; /* race */
  return *(const int *)a - *(const int *)b;
}
int a[4][16];
int main(void) {
#pragma omp parallel num_threads(4)
  {
    int *mine = a[omp_get_thread_num()];
    for (int i = 0; i < 16; i++) mine[i] = (i * 7) % 16;
    qsort(mine, 16, sizeof *mine, compare);
  }
  return compared < 1;
}
