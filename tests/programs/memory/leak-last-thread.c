// The process ends with its last thread, which need not be the main one: what is lost by then is a leak.
// verdict: BUG
// finding: leak A
// case: kept -DKEPT
// verdict: SAFE
#include <pthread.h>
#include <stdlib.h>

static int *kept;

static void *work(void *unused) {
  kept = malloc(sizeof *kept); // @A
#ifndef KEPT
  kept = NULL;
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_exit(0);
}
