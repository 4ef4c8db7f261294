// A thread of asynchronous cancellation type ends at once by its own request, and where it takes the type after one.
// verdict: SAFE
// case: passed -DPASSED
// verdict: BUG
// finding: assertion
// case: other -DOTHER
// verdict: BOUNDED
#include <assert.h>
#include <pthread.h>

static int passed;

static void *by_itself(void *unused) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
  pthread_cancel(pthread_self());
  passed = 1;
  return unused;
}

static void *by_another(void *unused) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
#ifdef OTHER
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
#endif
#ifdef PASSED
  passed = 1;
#endif
  pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, 0);
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
  pthread_testcancel();
  return unused;
}

int main(void) {
  pthread_t t[2];
  void *result;
  pthread_create(&t[0], 0, by_itself, 0);
  pthread_create(&t[1], 0, by_another, 0);
  pthread_cancel(t[1]);
  pthread_join(t[0], &result);
  assert(result == PTHREAD_CANCELED);
  pthread_join(t[1], &result);
  assert(!passed);
  return 0;
}
