// An execution that ends before what was predicted of it: the second thread's loop leaves one read out of the prediction, stays in the loop
// for ever, and with it go the steps behind. What comes next begins with the steps that it made.
// verdict: BUG
// options: --strategy=mcr-s --outcomes -O1
// executions: 5
// finding: deadlock
// case: plus
// verdict: BUG
// options: --strategy=mcr-s+ --outcomes -O1
// executions: 5
// finding: deadlock
#include <pthread.h>
#include <stdatomic.h>

static atomic_int c, d;

static void *first(void *unused) {
  atomic_store(&d, 2);
  return unused;
}

static void *second(void *unused) {
  while (!atomic_load(&c) && !atomic_load(&d)) continue;
  return unused;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  atomic_store(&d, 1);
  atomic_store(&d, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  return atomic_load(&d);
}
