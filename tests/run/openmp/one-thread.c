/* Two tasks that the same thread does, as the other one sleeps. */
/* analysis: ovp */
#include "openmp.h"
int x;
int main(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) usleep(50000);
#pragma omp master
    {
      for (int i = 0; i < 2; i++) {
#ifdef RACY
#pragma omp task
#else
#pragma omp task depend(inout : x)
#endif
        x++; /* race */
      }
#pragma omp taskwait
    }
  }
  return x != 2;
}
