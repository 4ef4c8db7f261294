/* The same by fences. */
#include "openmp.h"
int data, flag, got;
int main(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      data = 42; /* race */
#ifndef RACY
#pragma omp flush
#endif
#pragma omp atomic write
      flag = 1;
    } else {
      int f = 0;
      while (!f) {
#pragma omp atomic read
        f = flag;
      }
#ifndef RACY
#pragma omp flush
#endif
      got = data; /* race */
    }
  }
  return got != 42;
}
/* analysis: hb */
