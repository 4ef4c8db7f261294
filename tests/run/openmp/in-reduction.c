/* Tasks of tasks add to private copies. */
#include "openmp.h"
int total;
static void visit(int depth) {
  if (depth == 0) return;
  for (int k = 0; k < 2; k++) {
#ifdef RACY
#pragma omp task
#else
#pragma omp task in_reduction(+ : total)
#endif
    {
      pause_a_moment();
      total += depth; /* race */
      visit(depth - 1);
    }
  }
#pragma omp taskwait
}
int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : total)
    visit(3);
  }
  return total < 1;
}
