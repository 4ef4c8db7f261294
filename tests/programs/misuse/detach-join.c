// Joins a thread that was detached.
// verdict: BUG
// finding: thread-misuse A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static void *worker(void *argument) { return argument; }

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
#ifndef FIXED
  pthread_detach(t);
#endif
  pthread_join(t, 0);  // @A
  return 0;
}
