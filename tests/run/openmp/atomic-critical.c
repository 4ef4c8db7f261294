/* Atomic updates and critical sections know nothing of each other. */
#include "openmp.h"
int count;
int main(void) {
#pragma omp parallel num_threads(4)
  {
    if (omp_get_thread_num() % 2) {
#pragma omp atomic
      count++; /* race */
    } else {
#ifdef RACY
#pragma omp critical
#else
#pragma omp atomic
#endif
      count++; /* race */
    }
  }
  return count < 1;
}
