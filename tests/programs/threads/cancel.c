// Cancellation at a cancellation point, with clean-up handlers that give the mutex back.
// verdict: SAFE
// executions: 1
// case: traces
// options: --strategy=dpor
// verdict: SAFE
// executions: 2
// case: forgotten -DFORGOTTEN
// verdict: BUG
// finding: deadlock A
// case: exceptions -fexceptions
// verdict: SAFE
// executions: 1
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int cleaned;

static void clean(void *mutex) {
  cleaned++;
#ifdef FORGOTTEN
  (void)mutex;
#else
  pthread_mutex_unlock(mutex);
#endif
}

static void *waiter(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(clean, &lock);
  for (;;) pthread_cond_wait(&never, &lock);
  pthread_cleanup_pop(1);
  return 0;
}

int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, 0, waiter, 0);
  pthread_cancel(t);
  pthread_join(t, &result);
  assert(result == PTHREAD_CANCELED);
  pthread_mutex_lock(&lock);  // @A
  assert(cleaned == 1);
  pthread_mutex_unlock(&lock);
  return 0;
}
