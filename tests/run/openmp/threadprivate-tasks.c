/* Tasks use what is their thread's. */
#include "openmp.h"
#include <stdlib.h>
static int *buffer, *shared_buffer;
#pragma omp threadprivate(buffer)
int main(void) {
  shared_buffer = calloc(4, sizeof(int));
#pragma omp parallel num_threads(4)
  buffer = calloc(4, sizeof *buffer);
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 0; i < 12; i++) {
#pragma omp task
    {
      pause_a_moment();
#ifdef RACY
      int *b = shared_buffer;
#else
      int *b = buffer;
#endif
      b[1]++; /* race */
    }
  }
#pragma omp parallel num_threads(4)
  free(buffer);
  free(shared_buffer);
  return 0;
}
