// Cancellation is held back while it is disabled, and acts at the next test after that.
// verdict: SAFE
// executions: 2
// case: assumed -DASSUMED
// verdict: BUG
// finding: assertion A
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int safe_part, after;

static void *work(void *unused) {
  int old;
  (void)unused;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  assert(old == PTHREAD_CANCEL_ENABLE);
  pthread_testcancel();
  safe_part = 1;
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
  assert(old == PTHREAD_CANCEL_DISABLE);
  pthread_testcancel();
  after = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, 0, work, 0);
  pthread_cancel(t);
  pthread_join(t, &result);
  assert(safe_part);
#ifdef ASSUMED
  assert(result == PTHREAD_CANCELED);  // @A
#endif
  assert(after == (result != PTHREAD_CANCELED));
  return 0;
}
