/* finds: data race A B, data race C D; fixed: nothing. analysis: ovp. Who takes a lock behind one that was in vain comes behind the sections that were in its way: another schedule may not exchange them. */
#include <pthread.h>
#include <stddef.h>

#include "moment.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int value, more;

static void *holds(void *argument) {
  pthread_mutex_lock(&m);
  moment_reach(1);
  moment_await(2);
  value = 1; /* @A */
  pthread_mutex_unlock(&m);
  moment_reach(3);
  return argument;
}

static void *tries(void *argument) {
  int busy = 1;
  moment_await(1);
#ifdef FIXED
  busy = pthread_mutex_trylock(&m) != 0;
#endif
  moment_reach(2);
  moment_await(3);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  if (busy) value = 2; /* @B */
  return argument;
}

static void *reads(void *argument) {
  pthread_rwlock_rdlock(&l);
  moment_reach(4);
  moment_await(5);
  more = 1; /* @C */
  pthread_rwlock_unlock(&l);
  moment_reach(6);
  return argument;
}

static void *tries_to_write(void *argument) {
  int busy = 1;
  moment_await(4);
#ifdef FIXED
  busy = pthread_rwlock_trywrlock(&l) != 0;
#endif
  moment_reach(5);
  moment_await(6);
  pthread_rwlock_wrlock(&l);
  pthread_rwlock_unlock(&l);
  if (busy) more = 2; /* @D */
  return argument;
}

int main(void) {
  void *(*functions[])(void *) = {holds, tries, reads, tries_to_write};
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, functions[i], NULL);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  return 0;
}
