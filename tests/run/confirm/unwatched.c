/* tries: use after free A B, lost wake-up C D; fixed: nothing. What is not watched orders them: they cannot happen. */
#include <pthread.h>
#include <stdlib.h>

#include "../moment.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int *x, y = 1, woken;

static void *uses(void *argument) {
  pthread_mutex_lock(&m);
  if (y) *x = 1; /* @A */
  pthread_mutex_unlock(&m);
  moment_reach(1);
  pthread_mutex_lock(&m);
  moment_reach(2); /* whoever has the lock next finds it waiting */
#ifdef FIXED
  while (!woken) pthread_cond_wait(&c, &m);
#else
  pthread_cond_wait(&c, &m); /* @C */
#endif
  pthread_mutex_unlock(&m);
  return argument;
}

static void *ends(void *argument) {
  moment_await(1);
  pthread_mutex_lock(&m);
  free(x); /* @B */
#ifdef FIXED
  y = 0;
#endif
  pthread_mutex_unlock(&m);
  moment_await(2);
  pthread_mutex_lock(&m);
  woken = 1;
  pthread_cond_signal(&c); /* @D */
  pthread_mutex_unlock(&m);
  return argument;
}

int main(void) {
  pthread_t t, u;
  x = malloc(sizeof *x);
  pthread_create(&t, NULL, uses, NULL);
  pthread_create(&u, NULL, ends, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
