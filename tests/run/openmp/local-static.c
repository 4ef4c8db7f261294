/* A variable that a function keeps. */
#include "openmp.h"
static int number(void) {
  static int next;
#ifdef RACY
  return ++next; /* race */
#else
  int mine;
#pragma omp atomic capture
  mine = ++next;
  return mine;
#endif
}
int a[4];
int main(void) {
#pragma omp parallel num_threads(4)
  a[omp_get_thread_num()] = number();
  return a[0] < 1;
}
