/* Two names are two locks. */
#include "openmp.h"
int count;
int main(void) {
#pragma omp parallel num_threads(4)
  {
    if (omp_get_thread_num() % 2) {
#pragma omp critical(one)
      count++; /* race */
    } else {
#ifdef RACY
#pragma omp critical(two)
#else
#pragma omp critical(one)
#endif
      count++; /* race */
    }
  }
  return count < 1;
}
