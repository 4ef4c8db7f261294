// Joins a thread while holding the lock that the thread needs to end.
// verdict: BUG
// finding: deadlock A B
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int closed;

static void *worker(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);  // @A
  closed = 1;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&lock);
#ifdef FIXED
  pthread_mutex_unlock(&lock);
  pthread_join(t, 0);
  return !closed;
#else
  pthread_join(t, 0);  // @B
  pthread_mutex_unlock(&lock);
  return !closed;
#endif
}
