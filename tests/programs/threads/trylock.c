// trylock() is observable: the assertion holds only while the other thread cannot hold the lock.
// verdict: BUG
// finding: assertion A
// case: fixed -DFIXED
// verdict: SAFE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *holder(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, holder, 0);
#ifdef FIXED
  pthread_join(t, 0);
#endif
  int r = pthread_mutex_trylock(&lock);
  assert(r == 0);  // @A
  pthread_mutex_unlock(&lock);
#ifndef FIXED
  pthread_join(t, 0);
#endif
  return 0;
}
