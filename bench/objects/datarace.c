/* pthread-demo-datarace-1 (Table 4.3): two threads increase a counter ROUNDS times each, under its lock. */
#include <heddle.h>
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 20
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

static struct counter counter = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *work(void *argument) {
  for (int i = 0; i < ROUNDS; i++) counter_increase(&counter);
  return argument;
}

int main(void) {
  pthread_t thread[2];
  for (int i = 0; i < 2; i++) pthread_create(&thread[i], 0, work, 0);
  for (int i = 0; i < 2; i++) pthread_join(thread[i], 0);
  hd_assert(counter.n == 2 * ROUNDS);
  return 0;
}
