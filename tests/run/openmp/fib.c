/* Tasks of tasks. */
#include "openmp.h"
static int fib(int n) {
  int x = 0, y = 0;
  if (n < 2) return n;
#pragma omp task shared(x) firstprivate(n)
  {
    if (n == 8) pause_a_moment();
    x = fib(n - 1); /* race */
  }
#pragma omp task shared(y) firstprivate(n)
  y = fib(n - 2); /* race */
#ifdef RACY
  if (n != 8)
#endif
  {
#pragma omp taskwait
  }
  for (int i = 0; n == 8 && i < 4; i++) pause_a_moment();
  int sum = x + y; /* race */
#pragma omp taskwait
  return sum;
}
int main(void) {
  int result = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  result = fib(8);
  return result > 21;
}
