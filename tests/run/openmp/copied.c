/* Parts of an array, copied by the C library. */
#include "openmp.h"
#include <string.h>
char from[400], to[400];
volatile size_t size = 100;
int main(void) {
#pragma omp parallel num_threads(4)
  {
    int t = omp_get_thread_num();
#ifdef RACY
    memcpy(to + 100 * t, from, t < 3 ? size + 1 : size); /* race */
#else
    memcpy(to + 100 * t, from, size);
#endif
  }
  return to[0];
}
