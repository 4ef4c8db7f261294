// Two states that differ in whom somebody has asked to end alone: main in one, the thread itself in the other. They were taken for one by
// maximal, which never saw main cancelled.
// verdict: BUG
// finding: assertion cancelled
// case: fixed -DFIXED
// verdict: SAFE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic pthread_t last;

static void *canceller(void *unused) {
  atomic_store(&last, pthread_self());
  pthread_cancel(atomic_load(&last));
  return unused;
}

static void cancelled(void *unused) {
  (void)unused;
#ifndef FIXED
  assert(!"main is cancelled"); /* @cancelled */
#endif
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, canceller, NULL);
  pthread_cleanup_push(cancelled, NULL);
  atomic_store(&last, pthread_self());
  pthread_join(t, NULL);
  pthread_cleanup_pop(0);
}
