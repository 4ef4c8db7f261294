/* finds: use after free A B; fixed: nothing. analysis: ovp. As in pbzip2 0.9.4: the main thread destroys a mutex that a consumer may
 * still use. */
#include <pthread.h>
#include <stdlib.h>

#include "moment.h"

struct queue {
  pthread_mutex_t *mutex;
  int items, closed;
};
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;
static int finished;

static void *consumes(void *argument) {
  struct queue *q = argument;
  for (int over = 0; !over;) {
    pthread_mutex_lock(&counting);
    finished++;
    pthread_mutex_unlock(&counting);
    pthread_mutex_lock(q->mutex);
    if (q->items > 0) q->items--;
    over = q->items == 0;
    pthread_mutex_unlock(q->mutex); /* @A */
  }
  moment_reach(1);
  return argument;
}

int main(void) {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  struct queue q = {&m, 3, 0};
  pthread_t t;
  pthread_create(&t, NULL, consumes, &q);
  moment_await(1);
#ifdef FIXED
  pthread_join(t, NULL);
#else
  static int elsewhere;
  pthread_mutex_lock(&m); /* this run orders the two so */
  elsewhere++;
  pthread_mutex_unlock(&m);
#endif
  pthread_mutex_destroy(&m); /* @B */
#ifndef FIXED
  pthread_join(t, NULL);
#endif
  return 0;
}
