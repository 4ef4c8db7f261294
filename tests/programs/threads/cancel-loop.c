// Threads that do nothing but test for their cancellation, or sleep, wait for it.
// verdict: SAFE
// executions: 1
// case: traces
// options: --strategy=dpor
// verdict: SAFE
// executions: 4
// case: sleep -DPOINT=sleep(1)
// verdict: SAFE
// executions: 1
// case: never -DNEVER
// verdict: BUG
// finding: deadlock|livelock
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

#ifndef POINT
#define POINT pthread_testcancel()
#endif

static void *loop(void *unused) {
  for (;;) POINT;
  return unused;
}

int main(void) {
  pthread_t a, b;
  void *result;
  pthread_create(&a, 0, loop, 0);
  pthread_create(&b, 0, loop, 0);
  pthread_cancel(a);
#ifndef NEVER
  pthread_cancel(b);
#endif
  pthread_join(a, &result);
  assert(result == PTHREAD_CANCELED);
  pthread_join(b, &result);
  assert(result == PTHREAD_CANCELED);
  return 0;
}
