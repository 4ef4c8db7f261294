/* finds: data race A C, lost wake-up B D; fixed: nothing; analysis: ovp. A queue on main()'s stack: its fields are shared, since its address
 * was given to a thread. In FIXED the accesses to `tail` order the two sections, so that the notification cannot come before the wait. */
#include <pthread.h>

#include "moment.h"

struct queue {
  pthread_mutex_t mutex;
  pthread_cond_t more;
  int head, tail;
  int items[16];
};

static void *consumer(void *argument) {
  struct queue *q = argument;
  pthread_mutex_lock(&q->mutex);
  moment_reach(1);
  while (q->head == q->tail) /* @A */
    pthread_cond_wait(&q->more, &q->mutex); /* @B */
  q->items[q->head++ & 15] = 0;
  pthread_mutex_unlock(&q->mutex);
  return argument;
}

int main(void) {
  struct queue s = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, {0}};
  pthread_t t;
  pthread_create(&t, NULL, consumer, &s);
  moment_await_asleep(1);
#ifdef FIXED
  pthread_mutex_lock(&s.mutex);
  s.items[s.tail & 15] = 7;
  s.tail++;
  pthread_mutex_unlock(&s.mutex);
#else
  s.tail++; /* @C */
#endif
  pthread_cond_signal(&s.more); /* @D */
  pthread_join(t, NULL);
  return s.head - s.tail;
}
