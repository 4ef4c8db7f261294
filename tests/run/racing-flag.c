/* finds: data race A B; fixed: nothing. analysis: ovp. The flag is set without the lock, which is a race. But whoever finds it not set yet is
 * done with the block before it is freed: the lock has to be taken in between. */
#include <pthread.h>
#include <stdlib.h>

#include "moment.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *block, over;

static void *uses(void *argument) {
  pthread_mutex_lock(&m);
  if (!over) /* @A */
    *block = 1;
  pthread_mutex_unlock(&m);
  moment_reach(1);
  return argument;
}

static void *ends(void *argument) {
  moment_await(1);
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  over = 1; /* @B */
#ifndef FIXED
  pthread_mutex_lock(&m);
#endif
  free(block);
  pthread_mutex_unlock(&m);
  return argument;
}

int main(void) {
  pthread_t t, u;
  block = malloc(sizeof *block);
  pthread_create(&t, NULL, uses, NULL);
  pthread_create(&u, NULL, ends, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
