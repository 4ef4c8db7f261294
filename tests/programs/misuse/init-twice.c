// Initialises a mutex that is in use.
// verdict: BUG
// finding: thread-misuse A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_mutex_t lock;

static void *worker(void *unused) {
  (void)unused;
#ifndef FIXED
  pthread_mutex_init(&lock, 0);  // @A
#endif
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_mutex_init(&lock, 0);
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  pthread_mutex_destroy(&lock);
  return 0;
}
