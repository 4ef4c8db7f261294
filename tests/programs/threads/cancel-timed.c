// A timed wait ends by a signal, by its time or by cancellation; the handler runs with the mutex held.
// verdict: SAFE
// executions: 4
// case: traces
// options: --strategy=dpor
// verdict: SAFE
// executions: 10
// case: unlocked -DUNLOCKED
// verdict: BUG
// finding: data-race
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int state;

static void clean(void *unused) {
  (void)unused;
#ifdef UNLOCKED
  pthread_mutex_unlock(&lock);
  state = 2;
#else
  state = 2;
  pthread_mutex_unlock(&lock);
#endif
}

static void *waiter(void *unused) {
  struct timespec deadline = {1, 0};
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(clean, 0);
  int error = pthread_cond_timedwait(&more, &lock, &deadline);
  assert(error == 0 || error == ETIMEDOUT);
  pthread_cleanup_pop(0);
  state = 1;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, 0, waiter, 0);
  pthread_cancel(t);
  pthread_mutex_lock(&lock);
  assert(state >= 0 && state <= 2);
  pthread_cond_signal(&more);
  pthread_mutex_unlock(&lock);
  pthread_join(t, &result);
  assert(state == (result == PTHREAD_CANCELED ? 2 : 1));
  return 0;
}
