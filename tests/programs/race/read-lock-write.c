// Writes under the shared half of a reader-writer lock.
// verdict: BUG
// finding: data-race A A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int hits;

static void *touch(void *unused) {
  (void)unused;
#ifdef FIXED
  pthread_rwlock_wrlock(&lock);
#else
  pthread_rwlock_rdlock(&lock);
#endif
  hits++;  // @A
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, touch, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return hits > 2;
}
