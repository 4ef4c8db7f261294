// Destroys a barrier while a thread waits at it.
// verdict: BUG
// finding: thread-misuse A
// finding?: thread-misuse
// finding: data-race A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_barrier_t barrier;

static void *worker(void *unused) {
  (void)unused;
  pthread_barrier_wait(&barrier);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&t, 0, worker, 0);
#ifdef FIXED
  pthread_barrier_wait(&barrier);
  pthread_join(t, 0);
#endif
  pthread_barrier_destroy(&barrier);  // @A
  return 0;
}
