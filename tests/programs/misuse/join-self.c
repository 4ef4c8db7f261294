// A thread joins itself.
// verdict: BUG
// finding: thread-misuse A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static void *worker(void *unused) {
  (void)unused;
#ifndef FIXED
  pthread_join(pthread_self(), 0);  // @A
#endif
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  return 0;
}
