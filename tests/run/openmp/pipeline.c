/* Items go through three stages; each stage keeps something of its own. */
#include "openmp.h"
int item[6], kept[3];
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 0; i < 6; i++)
    for (int s = 0; s < 3; s++) {
#ifdef RACY
#pragma omp task depend(inout : item[i])
#else
#pragma omp task depend(inout : item[i]) depend(inout : kept[s])
#endif
      {
        pause_a_moment();
        item[i] += s;
        kept[s] += item[i]; /* race */
      }
    }
  return kept[0] < 0;
}
