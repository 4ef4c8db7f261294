/* A thread of the program's own beside a team. */
#include "openmp.h"
#include <pthread.h>
int x;
static void *work(void *a) {
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    x++; /* race */
  }
  return a;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
#ifndef RACY
  pthread_join(thread, NULL);
#endif
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    x++; /* race */
  }
#ifdef RACY
  pthread_join(thread, NULL);
#endif
  return x != 3;
}
