/* finds: lost wake-up A B; confirms: lost wake-up A B; fixed: nothing. analysis: ovp. The notification may come before the wait, under the same lock (thesis, Figure 3.4). */
#include <pthread.h>

#include "moment.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int cycling = 1, over;

static void *waits(void *argument) {
  pthread_mutex_lock(&m);
  moment_reach(1); /* whoever has the lock next finds it waiting */
#ifdef FIXED
  while (!over) pthread_cond_wait(&c, &m);
#else
  if (cycling) pthread_cond_wait(&c, &m); /* @A */
#endif
  pthread_mutex_unlock(&m);
  return argument;
}

static void *notifies(void *argument) {
  moment_await(1);
  pthread_mutex_lock(&m);
  over = 1;
  pthread_cond_broadcast(&c); /* @B */
  pthread_mutex_unlock(&m);
  return argument;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, waits, NULL);
  pthread_create(&u, NULL, notifies, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return cycling - 1;
}
