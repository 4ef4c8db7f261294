// Cancellation is held back while it is disabled, and acts at the next test after that.
// verdict: SAFE
// exit: 2
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
  atomic_store(&safe_part, 1);
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
  pthread_testcancel();
  atomic_store(&after, 1);
  return 0;
}

int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, 0, work, 0);
  pthread_cancel(t);
  pthread_join(t, &result);
  assert(result == 0 || result == PTHREAD_CANCELED);
  if (result == PTHREAD_CANCELED) assert(!atomic_load(&after));
  else assert(atomic_load(&after));
  return 0;
}
