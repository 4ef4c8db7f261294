/* One thread waits for another's flag. */
#include "openmp.h"
int data, flag, got;
int main(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      data = 42; /* race */
#ifdef RACY
#pragma omp atomic write
      flag = 1;
#else
#pragma omp atomic write release
      flag = 1;
#endif
    } else {
      int f = 0;
      while (!f) {
#ifdef RACY
#pragma omp atomic read
        f = flag;
#else
#pragma omp atomic read acquire
        f = flag;
#endif
      }
      got = data; /* race */
    }
  }
  return got != 42;
}
/* analysis: hb */
