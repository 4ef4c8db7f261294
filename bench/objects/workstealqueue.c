/* workstealqueue_mutex-2 (Table 4.3), after the work-stealing queue of Cilk-5 (Frigo, Leiserson and Randall, 1998): the owner puts ITEMS at one
 * end and takes some back, and another thread takes some from the other end, under a lock that the owner needs for the last item alone. Each item
 * is taken once. */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ITEMS
#define ITEMS 4
#endif
#ifndef STEALS
#define STEALS 2
#endif

struct deque {
  pthread_mutex_t lock;
  atomic_int head, tail;
  int items[ITEMS];
};

void deque_push(struct deque *d, int item) {
  d->items[d->tail % ITEMS] = item;
  d->tail++;
}

static int pop_last(struct deque *d) {
  int item = 0;
  pthread_mutex_lock(&d->lock);
  if (d->head < d->tail) item = d->items[--d->tail % ITEMS];
  pthread_mutex_unlock(&d->lock);
  return item;
}

/* The newest item; 0: there is none. */
int deque_pop(struct deque *d) {
  int tail = --d->tail;
  if (d->head <= tail) return d->items[tail % ITEMS];
  d->tail = tail + 1;
  return pop_last(d);
}

/* The oldest item; 0: there is none. */
int deque_steal(struct deque *d) {
  int item = 0;
  pthread_mutex_lock(&d->lock);
  int head = d->head++;
  if (head < d->tail)
    item = d->items[head % ITEMS];
  else
    d->head = head;
  pthread_mutex_unlock(&d->lock);
  return item;
}

/* Its items, and in the last four bits their number. */
unsigned long deque_state(struct deque *d) {
  unsigned long state = 1, n = 0;
  for (int i = d->head; i < d->tail; i++, n++) state = state * 31 + (unsigned)d->items[i % ITEMS];
  return state << 4 | n;
}

static struct deque deque = {.lock = PTHREAD_MUTEX_INITIALIZER};
static int taken[ITEMS + 1];

static void take(int item) {
  if (item) taken[item]++;
}

static void *steal(void *argument) {
  for (int i = 0; i < STEALS; i++) take(deque_steal(&deque));
  return argument;
}

int main(void) {
  pthread_t thief;
  pthread_create(&thief, 0, steal, 0);
  for (int i = 1; i <= ITEMS; i += 2) {
    deque_push(&deque, i);
    deque_push(&deque, i + 1);
    take(deque_pop(&deque));
  }
  for (int item; (item = deque_pop(&deque));) take(item);
  pthread_join(thief, 0);
  for (int i = 1; i <= ITEMS; i++) hd_assert(taken[i] == 1);
  return 0;
}
