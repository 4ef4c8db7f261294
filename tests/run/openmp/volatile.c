/* What is volatile is not atomic. */
#include "openmp.h"
#ifdef RACY
volatile int count;
#else
_Atomic int count;
#endif
int main(void) {
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < N; i++) count++; /* race */
  return count < 1;
}
