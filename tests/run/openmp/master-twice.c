/* The same thread twice: nothing is between the two. */
#include "openmp.h"
int x, y;
int main(void) {
#pragma omp parallel num_threads(4)
  {
#pragma omp master
    x++; /* race */
#ifdef RACY
    if (omp_get_thread_num() == 2) y = x; /* race */
#endif
#pragma omp master
    x++; /* race */
  }
  return x < 2 || y > 2;
}
