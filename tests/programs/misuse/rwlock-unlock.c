// Unlocks a reader-writer lock that the thread does not hold.
// verdict: BUG
// finding: thread-misuse A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *reader(void *unused) {
  (void)unused;
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
#ifndef FIXED
  pthread_rwlock_unlock(&lock);  // @A
#endif
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reader, 0);
  pthread_join(t, 0);
  return 0;
}
