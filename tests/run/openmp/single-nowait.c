/* One thread makes what the others use. */
#include "openmp.h"
#include <stdlib.h>
int *block;
int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
  {
#ifdef RACY
#pragma omp single nowait
#else
#pragma omp single
#endif
    block = calloc(4, sizeof *block); /* race */
#ifdef RACY
    for (int i = 0; i < 3; i++) pause_a_moment();
#endif
    int *mine = block;                            /* race */
    if (mine) sum += mine[omp_get_thread_num()]; /* race */
  }
  free(block);
  return sum;
}
