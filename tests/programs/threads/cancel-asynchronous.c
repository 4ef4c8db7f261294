// A thread of asynchronous cancellation type ends at once by its own request, where it takes the type after one, and by one of another thread
// between any two of its steps: also while it waits for a lock, in a loop, and when its function has returned.
// verdict: SAFE
// case: passed -DPASSED
// verdict: BUG
// finding: assertion
// case: other -DOTHER
// verdict: SAFE
// case: between -DBETWEEN
// verdict: BUG
// finding: assertion
// case: returned -DRETURNED
// verdict: BUG
// finding: assertion
// case: blocked -DBLOCKED
// verdict: SAFE
// case: spinning -DSPINNING
// verdict: SAFE
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

#if defined BETWEEN || defined RETURNED || defined BLOCKED || defined SPINNING
static int first, second; /* nobody else looks at them by then */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *at_any_time(void *unused) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
  first = 1;
#ifdef BLOCKED
  pthread_mutex_lock(&lock);
#endif
#ifdef SPINNING
  while (1) ;
#endif
  second = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  void *result;
  pthread_mutex_lock(&lock);
  pthread_create(&t, 0, at_any_time, 0);
  pthread_cancel(t);
  pthread_join(t, &result);
#ifdef BETWEEN
  assert(!(first && !second));
#elif defined RETURNED
  assert(!(second && result == PTHREAD_CANCELED));
#else
  assert(result == PTHREAD_CANCELED && !second);
#endif
  return 0;
}
#else
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
#endif
