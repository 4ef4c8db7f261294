// A thread spins on a flag that nobody sets when the other one comes too early.
// verdict: BUG
// finding: livelock|deadlock A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stdatomic.h>

static atomic_int armed, fired;

static void *listener(void *unused) {
  (void)unused;
  atomic_store(&armed, 1);
  while (!atomic_load(&fired)) {  // @A
  }
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, listener, 0);
#ifdef FIXED
  while (!atomic_load(&armed)) {
  }
#endif
  if (atomic_load(&armed)) atomic_store(&fired, 1);
  pthread_join(t, 0);
  return 0;
}
