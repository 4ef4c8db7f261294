/* finds: data race A B; fixed: nothing. analysis: ovp. Whoever notifies does so because of a flag that is handed on without a lock, which is a
 * race. But the flag is only set behind what the waiting thread did before it waited, so the notification cannot come too early. */
#include <pthread.h>
#include <stddef.h>

#include "moment.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, flag;
#ifdef FIXED
static pthread_mutex_t of_flag = PTHREAD_MUTEX_INITIALIZER;
#define LOCKED(statement) pthread_mutex_lock(&of_flag), (statement), pthread_mutex_unlock(&of_flag)
#else
#define LOCKED(statement) (statement)
#endif

static void *waits(void *argument) {
  pthread_mutex_lock(&m);
  ready = 1;
  moment_reach(1);
  pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return argument;
}

static void *passes_on(void *argument) {
  moment_await(1);
  pthread_mutex_lock(&m);
  int is_ready = ready;
  pthread_mutex_unlock(&m);
  if (is_ready) LOCKED(flag = 1); /* @A */
  moment_reach(2);
  return argument;
}

static void *notifies(void *argument) {
  int seen;
  moment_await(2);
  LOCKED(seen = flag); /* @B */
  if (seen) pthread_cond_signal(&c);
  return argument;
}

int main(void) {
  void *(*const of[])(void *) = {waits, passes_on, notifies};
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, of[i], NULL);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return 0;
}
