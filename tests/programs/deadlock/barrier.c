// A barrier for three that only two threads reach.
// verdict: BUG
// finding: deadlock A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_barrier_t barrier;

static void *work(void *unused) {
  (void)unused;
  pthread_barrier_wait(&barrier);  // @A
  return 0;
}

int main(void) {
  pthread_t t[2];
#ifdef FIXED
  pthread_barrier_init(&barrier, 0, 2);
#else
  pthread_barrier_init(&barrier, 0, 3);
#endif
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
