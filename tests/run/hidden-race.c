/* finds: data race A B; confirms: data race A B; fixed: nothing. analysis: wdc. The lock orders the two in this run, but not in others. */
#include <pthread.h>

#include "moment.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, known;
static volatile int unknown;

static void *one(void *argument) {
  x = 1; /* @A */
  pthread_mutex_lock(&m);
  known = 1;
  pthread_mutex_unlock(&m);
  moment_reach(1);
  return argument;
}

static void *two(void *argument) {
  moment_await(1);
  pthread_mutex_lock(&m);
#ifdef FIXED
  int wait = !known;
#else
  int wait = unknown;
#endif
  pthread_mutex_unlock(&m);
  if (!wait) x = 2; /* @B */
  return argument;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, one, NULL);
  pthread_create(&u, NULL, two, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return x == 0;
}
