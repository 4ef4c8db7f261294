/* finds: deadlock A B, potential deadlock C D; fixed: nothing. Two threads wait for each other; they had luck with two other locks before.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "await.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER,
                       d = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t met;
static atomic_int done;

static void *one(void *argument) {
  pthread_mutex_lock(&c);
  pthread_mutex_lock(&d); /* @C */
  pthread_mutex_unlock(&d);
  pthread_mutex_unlock(&c);
  atomic_store(&done, 1);
  pthread_mutex_lock(&a);
  pthread_barrier_wait(&met);
#ifdef FIXED
  pthread_mutex_unlock(&a);
#endif
  pthread_mutex_lock(&b); /* @A */
  return argument;
}

static void *two(void *argument) {
#ifndef FIXED
  while (!atomic_load(&done)) usleep(1000); /* orders no locks */
  pthread_mutex_lock(&d);
  pthread_mutex_lock(&c); /* @D */
  pthread_mutex_unlock(&c);
  pthread_mutex_unlock(&d);
#endif
  pthread_mutex_lock(&b);
  pthread_barrier_wait(&met);
#ifdef FIXED
  pthread_mutex_unlock(&b);
#endif
  pthread_mutex_lock(&a); /* @B */
  return argument;
}

int main(void) {
  pthread_t t, u;
  pthread_barrier_init(&met, NULL, 2);
  pthread_create(&t, NULL, one, NULL);
  pthread_create(&u, NULL, two, NULL);
#ifdef FIXED
  pthread_join(t, NULL), pthread_join(u, NULL);
#else
  end_after_reports(2);
#endif
  return 0;
}
