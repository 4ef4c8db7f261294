// A pointer to a local that is gone points into another one: the mutex that a thread locks there. What is written over a mutex that is held is
// told at once; one that nobody holds is no mutex any longer, and its bytes do not make anybody its holder.
// verdict: BUG
// finding: data-race WRITE
// finding: thread-misuse LOCK WRITE
// finding: thread-misuse LOCK
// finding: use-after-free WRITE
// case: naive
// verdict: BUG
// options: --strategy=naive
// finding: data-race WRITE
// finding: thread-misuse LOCK WRITE
// finding: thread-misuse LOCK
// finding: use-after-free WRITE
// case: dpor
// verdict: BUG
// options: --strategy=dpor
// finding: data-race WRITE
// finding: thread-misuse LOCK WRITE
// finding: thread-misuse LOCK
// finding: use-after-free WRITE
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int *_Atomic published;

static __attribute__((noinline)) void publish(void) {
#ifdef FIXED
  static
#endif
      int local;
  atomic_store(&published, &local);
}

static __attribute__((noinline)) void lock(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);  // @LOCK
  pthread_mutex_unlock(&mutex);
}

static void *worker(void *argument) {
  publish();
  lock();
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  int *at = atomic_load(&published);
  if (at) *at = 2;  // @WRITE
  pthread_join(t, NULL);
  return 0;
}
