/* fkp2013-1 (Table 4.3), after Farzan, Kincaid and Podelski, "Proofs that count": THREADS threads increase a counter, and one asserts
 * that it is not more than that. */
#include <heddle.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 50
#endif

struct counter {
  pthread_mutex_t lock;
  int n;
};

void counter_increase(struct counter *c) {
  pthread_mutex_lock(&c->lock);
  c->n++;
  pthread_mutex_unlock(&c->lock);
}

int counter_get(struct counter *c) {
  pthread_mutex_lock(&c->lock);
  int n = c->n;
  pthread_mutex_unlock(&c->lock);
  return n;
}

static struct counter counter = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *work(void *argument) {
  counter_increase(&counter);
  return argument;
}

static void *look(void *argument) {
  hd_assert(counter_get(&counter) <= THREADS);
  return argument;
}

int main(void) {
  pthread_t thread[THREADS + 1];
  for (int i = 0; i <= THREADS; i++) pthread_create(&thread[i], 0, i < THREADS ? work : look, 0);
  for (int i = 0; i <= THREADS; i++) pthread_join(thread[i], 0);
  return 0;
}
