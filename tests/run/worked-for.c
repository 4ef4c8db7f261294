/* analysis: ovp. finds: data race A B, data race C D; fixed: nothing. A thread that works for another one, which holds a lock until it has joined it: what it does is done in that
 * section. If the lock is given back first, it is not. */
#include <pthread.h>

#include "moment.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;
int early, late, shared;

static void *before(void *argument) {
  pthread_mutex_lock(&m);
  early = 1; /* @A */
  pthread_mutex_unlock(&m);
  moment_reach(1);
  return argument;
}

static void *after(void *argument) {
  moment_await(3);
  pthread_mutex_lock(&m);
  late = 1; /* @C */
  pthread_mutex_unlock(&m);
  pthread_rwlock_wrlock(&w);
  shared = 1;
  pthread_rwlock_unlock(&w);
  return argument;
}

static void *work(void *argument) {
  early = 2; /* @B */
  late = 2;  /* @D */
  shared = 2;
  moment_reach(2);
  return argument;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, before, NULL);
  pthread_create(&threads[1], NULL, after, NULL);
  moment_await(1);
  pthread_rwlock_rdlock(&w);
  pthread_mutex_lock(&m);
  pthread_create(&threads[2], NULL, work, NULL);
  moment_await(2);
#ifdef FIXED
  pthread_join(threads[2], NULL);
  pthread_mutex_unlock(&m);
#else
  pthread_mutex_unlock(&m);
  pthread_join(threads[2], NULL);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
#endif
  pthread_rwlock_unlock(&w);
  moment_reach(3);
  pthread_join(threads[0], NULL);
  return pthread_join(threads[1], NULL);
}
