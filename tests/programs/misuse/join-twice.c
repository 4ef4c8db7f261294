// Joins one thread twice.
// verdict: BUG
// finding: thread-misuse A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static void *worker(void *argument) { return argument; }

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, 0);
  pthread_join(t[0], 0);
#ifdef FIXED
  pthread_join(t[1], 0);
#else
  pthread_join(t[0], 0);  // @A
#endif
  return 0;
}
