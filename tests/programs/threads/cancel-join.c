// A thread that is cancelled while it joins another leaves that one to be joined.
// verdict: SAFE
// executions: 2
// case: traces
// options: --strategy=dpor
// verdict: SAFE
// executions: 9
// case: forgotten -DFORGOTTEN
// verdict: BUG
// finding: data-race A B
// finding: assertion B
#include <assert.h>
#include <pthread.h>

static pthread_t worker, joiner;
static int done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  done = 1;  // @A
  return unused;
}

static void *join(void *unused) {
  pthread_join(worker, 0);
  return unused;
}

int main(void) {
  void *result;
  pthread_create(&worker, 0, work, 0);
  pthread_create(&joiner, 0, join, 0);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  pthread_cancel(joiner);
  pthread_join(joiner, &result);
#ifndef FORGOTTEN
  if (result == PTHREAD_CANCELED) pthread_join(worker, 0);
#endif
  assert(done);  // @B
  return 0;
}
