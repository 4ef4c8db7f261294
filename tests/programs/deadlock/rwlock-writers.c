// A reader-writer lock and a mutex in opposite order.
// verdict: BUG
// finding: deadlock A B
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_rwlock_t map = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;

static void *insert(void *unused) {
  (void)unused;
  pthread_rwlock_wrlock(&map);
  pthread_mutex_lock(&log_lock);  // @A
  pthread_mutex_unlock(&log_lock);
  pthread_rwlock_unlock(&map);
  return 0;
}

static void *dump(void *unused) {
  (void)unused;
#ifdef FIXED
  pthread_rwlock_rdlock(&map);
  pthread_mutex_lock(&log_lock);
#else
  pthread_mutex_lock(&log_lock);
  pthread_rwlock_rdlock(&map);  // @B
#endif
  pthread_rwlock_unlock(&map);
  pthread_mutex_unlock(&log_lock);
  return 0;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, insert, 0);
  pthread_create(&t[1], 0, dump, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
