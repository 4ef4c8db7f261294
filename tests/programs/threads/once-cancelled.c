// A function of pthread_once() that is cancelled counts as not called: whoever waits for it calls it.
// verdict: SAFE
// case: never -DNEVER
// verdict: BUG
// finding: assertion
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int done;

static void initialise(void) {
  pthread_testcancel();
  done++;
}

static void *caller(void *unused) {
  pthread_once(&once, initialise);
  return unused;
}

int main(void) {
  pthread_t t[2];
  void *result;
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, caller, 0);
  pthread_cancel(t[0]);
  pthread_join(t[0], &result);
#ifdef NEVER
  assert(result != PTHREAD_CANCELED); /* it may well be */
#endif
  pthread_join(t[1], 0);
  assert(done == 1);
  return 0;
}
