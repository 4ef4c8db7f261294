/* One task makes, the next one uses, and the place is used again. */
#include "openmp.h"
int slot[2], sum;
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 0; i < 8; i++) {
#ifdef RACY
#pragma omp task depend(out : slot[i % 2]) firstprivate(i)
    {
      pause_a_moment();
      slot[0] = i; /* race */
    }
#else
#pragma omp task depend(out : slot[i % 2]) firstprivate(i)
    {
      pause_a_moment();
      slot[i % 2] = i;
    }
#endif
#pragma omp task depend(in : slot[i % 2]) depend(inout : sum) firstprivate(i)
    sum += slot[i % 2]; /* race */
  }
  return sum < 0;
}
