// A producer and a consumer that take turns by two flags under a mutex.
// verdict: SAFE
// case: unguarded -DUNGUARDED
// verdict: BUG
// finding: assertion A
#include <pthread.h>

#define SIZE 3

extern void reach_error(void);

static int items[SIZE], amount, first, last;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *enqueuer(void *unused) {
  (void)unused;
  for (int i = 0; i < SIZE; i++) {
    pthread_mutex_lock(&m);
    items[last++] = i;
    amount++;
    pthread_mutex_unlock(&m);
  }
  return 0;
}

static void *dequeuer(void *unused) {
  (void)unused;
  for (int i = 0; i < SIZE; i++) {
    pthread_mutex_lock(&m);
#ifndef UNGUARDED
    if (amount > 0)
#endif
    {
      if (items[first] != first || amount == 0) reach_error();  // @A
      first++;
      amount--;
    }
    pthread_mutex_unlock(&m);
  }
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, enqueuer, 0);
  pthread_create(&b, 0, dequeuer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
