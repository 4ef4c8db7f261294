/* finds: data race A B; fixed: nothing. analysis: ovp. unbounded. The sections that tell are not among the last ones of the lock. */
#include <pthread.h>
#include <stdio.h>

#include "moment.h"

enum { MORE = 100 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int first, second, shared, many;

static void section(volatile int *touched) {
  pthread_mutex_lock(&m);
  *touched = *touched + 1;
  pthread_mutex_unlock(&m);
}

static void *early(void *argument) {
  section(&first);
#ifndef FIXED
  shared = 1; /* @A */
#endif
  section(&second);
  for (int i = 0; i < MORE; i++) section(&many);
  moment_reach(1);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, early, NULL);
  moment_await(1);
  section(&first);
  shared = 2; /* @B */
  pthread_join(t, NULL);
  printf("%d\n", shared + many);
  return 0;
}
