// A thread works on the stack of its creator, which does not wait for it.
// verdict: BUG
// finding: use-after-free A
// finding?: data-race
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stdatomic.h>

static void *worker(void *argument) {
  atomic_int *slot = argument;
  atomic_store(slot, 1);  // @A
  return 0;
}

static pthread_t start(void) {
#ifdef FIXED
  static atomic_int slot;
#else
  atomic_int slot;
#endif
  pthread_t t;
  atomic_init(&slot, 0);
  pthread_create(&t, 0, worker, &slot);
  return t;
}

int main(void) {
  pthread_t t = start();
  pthread_join(t, 0);
  return 0;
}
