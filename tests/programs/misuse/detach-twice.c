// The thread detaches itself, and its creator detaches it too.
// verdict: BUG
// finding: thread-misuse
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static void *worker(void *unused) {
  (void)unused;
#ifndef FIXED
  pthread_detach(pthread_self());
#endif
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_detach(t);
  return 0;
}
