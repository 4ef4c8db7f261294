// Waiting for a signal is a cancellation point.
// verdict: SAFE
// executions: 1
// case: traces
// options: --strategy=dpor
// verdict: SAFE
// executions: 2
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static void *stand_by(void *unused) {
  sigset_t set;
  int number;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigwait(&set, &number);
  return unused;
}

int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, 0, stand_by, 0);
  pthread_cancel(t);
  pthread_join(t, &result);
  assert(result == PTHREAD_CANCELED);
  return 0;
}
