/* Memory of the heap that one thread allocates, and another frees. */
#include "openmp.h"
#include <stdlib.h>
int *block[4];
int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
  {
    int t = omp_get_thread_num();
    block[t] = malloc(sizeof(int)); /* race */
    *block[t] = t; /* race */
#ifdef RACY
    pause_a_moment();
    pause_a_moment();
    pause_a_moment();
#else
#pragma omp barrier
#endif
    int *other = block[(t + 1) % 4]; /* race */
    if (other) sum += *other; /* race */
#pragma omp barrier
    free(block[t]);
  }
  return sum > 6;
}
