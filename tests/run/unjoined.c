/* finds: data race A B; fixed: nothing. The main thread looks before it has joined. */
#include <pthread.h>
#include <stdio.h>

#include "moment.h"

static int done;

static void *work(void *argument) {
  done = 1; /* @A */
  moment_reach(1);
  return argument;
}

int main(void) {
  pthread_t t;
  int seen;
  pthread_create(&t, NULL, work, NULL);
#ifdef FIXED
  pthread_join(t, NULL);
#else
  moment_await(1); /* that orders nothing */
#endif
  seen = done; /* @B */
#ifndef FIXED
  pthread_join(t, NULL);
#endif
  printf("%d\n", seen);
  return 0;
}
