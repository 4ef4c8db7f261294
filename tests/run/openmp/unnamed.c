/* A critical section without a name. */
#include "openmp.h"
int count;
int main(void) {
#pragma omp parallel num_threads(4)
  {
#ifdef RACY
    if (omp_get_thread_num() == 3) {
      pause_a_moment();
      count--; /* race */
    }
#endif
#pragma omp critical
    count++; /* race */
  }
  return count < 0;
}
