/* A message behind a flag that is stored and loaded in one order with all others. */
#include "openmp.h"
int message, flag, other, got;
int main(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
#ifndef RACY
      message = 42;
#endif
#pragma omp atomic write seq_cst
      flag = 1;
#ifdef RACY
      message = 42; /* race */
#endif
    } else {
      int f = 0;
      while (!f) {
#pragma omp atomic read seq_cst
        f = flag;
      }
      got = message; /* race */
    }
  }
  return got > 42 || other;
}
