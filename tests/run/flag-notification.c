/* finds: lost wake-up A B; fixed: nothing. analysis: ovp. A flag that is set without the lock: the lock has to be taken in between.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "moment.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int over;

static void *waits(void *argument) {
  pthread_mutex_lock(&m);
  while (!atomic_load(&over)) moment_reach(1), pthread_cond_wait(&c, &m); /* @A */
  pthread_mutex_unlock(&m);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waits, NULL);
  moment_await_asleep(1);
  atomic_store(&over, 1);
#ifdef FIXED
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
#endif
  pthread_cond_broadcast(&c); /* @B */
  pthread_join(t, NULL);
  return 0;
}
