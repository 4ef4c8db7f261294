/* What a task finds by its thread's number, or in variables of its thread, no other thread would touch. */
/* analysis: ovp */
#include "openmp.h"
#include <stdlib.h>
int count[2], *shared_block;
static __thread int *block;
int main(void) {
  shared_block = calloc(4, sizeof *shared_block);
#pragma omp parallel num_threads(2)
  block = calloc(4, sizeof *block);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) usleep(50000);
#pragma omp master
    for (int i = 0; i < 20; i++) {
#pragma omp task
      {
#ifdef RACY
        shared_block[1]++; /* race */
#else
        block[1]++;
#endif
        count[omp_get_thread_num()]++;
      }
    }
  }
#pragma omp parallel num_threads(2)
  free(block);
  free(shared_block);
  return 0;
}
