// Destroys a reader-writer lock that is held for reading.
// verdict: BUG
// finding: thread-misuse A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

int main(void) {
  pthread_rwlock_t lock;
  pthread_rwlock_init(&lock, 0);
  pthread_rwlock_rdlock(&lock);
#ifdef FIXED
  pthread_rwlock_unlock(&lock);
#endif
  pthread_rwlock_destroy(&lock);  // @A
  return 0;
}
