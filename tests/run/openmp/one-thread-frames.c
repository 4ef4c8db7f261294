/* Tasks of the same thread use the same places of its stack, for variables of their own, or one of their parent's. */
/* analysis: ovp */
#include "openmp.h"
volatile int sum;
static int deep(int n) {
  volatile int a[64];
  for (int i = 0; i < 64; i++) a[i] = n + i;
  return n > 0 ? deep(n - 1) + a[n] : a[0];
}
int main(void) {
  int local = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) usleep(50000);
#pragma omp master
    {
      sum = deep(10);
      for (int i = 0; i < 12; i++) {
#pragma omp task shared(local) firstprivate(i)
        {
          int own = deep(i);
#ifdef RACY
          local += own; /* race */
#else
          own++;
#endif
        }
      }
#pragma omp taskwait
      sum = deep(12);
    }
  }
  return local < 0;
}
