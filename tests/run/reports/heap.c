/* A member of a structure in the heap, which has its lock in it. */
#include "launch.h"
struct queue {
  pthread_mutex_t lock;
  long head, tail;
};

static struct queue *make(void) {
  struct queue *q = calloc(1, sizeof *q);
  pthread_mutex_init(&q->lock, NULL);
  return q;
}

static void *work(void *data) {
  struct queue *q = data;
  pthread_mutex_lock(&q->lock);
  q->tail++;
  pthread_mutex_unlock(&q->lock);
  moment_reach(0);
  return NULL;
}

int main(void) {
  struct queue *q = make();
  pthread_t t;
  launch(0, &t, work, q);
  q->tail = 3;
  pthread_join(t, NULL);
  free(q);
  return 0;
}
