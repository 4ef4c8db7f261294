/* From the first to the second, and from there to the third. */
#include "openmp.h"
int data, first, second, got;
static void raise_flag(int *flag) {
#pragma omp atomic write release
  *flag = 1;
}
static void await_flag(int *flag) {
  int f = 0;
  while (!f) {
#pragma omp atomic read acquire
    f = *flag;
  }
}
int main(void) {
#pragma omp parallel num_threads(3)
  {
    int t = omp_get_thread_num();
    if (t == 0) {
      data = 1; /* race */
      raise_flag(&first);
    } else if (t == 1) {
#ifndef RACY
      await_flag(&first);
#endif
      raise_flag(&second);
    } else {
      await_flag(&second);
      got = data; /* race */
    }
  }
  return got > 1;
}
