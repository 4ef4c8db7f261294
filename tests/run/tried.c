/* finds: data race A B; fixed: nothing. analysis: ovp. Who takes a lock behind one that was in vain comes behind the section that was in its way:
 * another schedule may not exchange them. */
#include <pthread.h>
#include <stddef.h>

#include "moment.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int value;

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

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, holds, NULL);
  pthread_create(&u, NULL, tries, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
