// Cancellation ends a wait for a signal, and comes behind the request for it: without that order some threads would never be the ones that
// are cancelled.
// verdict: SAFE
// options: --strategy=naive
// case: dpor
// options: --strategy=dpor
// verdict: SAFE
// executions: 74
// case: unfolding
// options: --strategy=unfolding
// verdict: SAFE
// executions: 74
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_ulong target;
static pthread_t threads[2];

static void *suspended(void *unused) {
  sigset_t none;
  sigemptyset(&none);
  atomic_store(&target, pthread_self());
  sigsuspend(&none);
  return unused;
}

int main(void) {
  pthread_create(&threads[0], 0, suspended, 0);
  pthread_create(&threads[1], 0, suspended, 0);
  unsigned long id = atomic_load(&target);
  if (id) pthread_cancel(id);
  if (id != threads[0]) exit(0);
  void *result;
  pthread_join(threads[0], &result);
  assert(result == PTHREAD_CANCELED);
  exit(0);
}
