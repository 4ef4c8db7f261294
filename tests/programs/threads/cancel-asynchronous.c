// A thread that could be cancelled at any instruction is refused; the type alone, where nobody cancels, is not.
// verdict: SAFE
// exit: 2
// case: alone -DALONE
// verdict: SAFE
#include <assert.h>
#include <pthread.h>

static void *work(void *unused) {
  int old;
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
  assert(old == PTHREAD_CANCEL_DEFERRED);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
#ifndef ALONE
  pthread_cancel(t);
#endif
  pthread_join(t, 0);
  return 0;
}
