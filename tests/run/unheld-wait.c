/* finds: use of a lock that the thread does not hold A, data race B C; fixed: nothing. A wait without the mutex orders nothing. */
#include <pthread.h>
#include <time.h>

#include "moment.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int value, ready;

static void *waits(void *argument) {
#ifdef FIXED
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  value++;
  pthread_mutex_unlock(&m);
#else
  struct timespec until;
  moment_await(1);
  clock_gettime(CLOCK_REALTIME, &until);
  pthread_cond_timedwait(&c, &m, &until); /* @A */
  value++;                                /* @B */
#endif
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waits, NULL);
  pthread_mutex_lock(&m);
  value++; /* @C */
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  moment_reach(1);
  return pthread_join(t, NULL);
}
