// Joins a thread that was created detached.
// verdict: BUG
// finding: thread-misuse A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static void *worker(void *argument) { return argument; }

int main(void) {
  pthread_t t;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
#ifndef FIXED
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
#endif
  pthread_create(&t, &attributes, worker, 0);
  pthread_attr_destroy(&attributes);
  pthread_join(t, 0);  // @A
  return 0;
}
