// A thread must not be cancelled after it was joined: its id may be another's.
// verdict: BUG
// finding: thread-misuse A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_t worker;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int joined;

static void *work(void *unused) { return unused; }

static void *stop(void *unused) {
#ifdef FIXED
  pthread_mutex_lock(&lock);
  if (!joined) pthread_cancel(worker);
  pthread_mutex_unlock(&lock);
#else
  pthread_cancel(worker);  // @A
#endif
  return unused;
}

int main(void) {
  pthread_t stopper;
  pthread_create(&worker, 0, work, 0);
  pthread_create(&stopper, 0, stop, 0);
  pthread_mutex_lock(&lock);
  pthread_join(worker, 0);
  joined = 1;
  pthread_mutex_unlock(&lock);
  pthread_join(stopper, 0);
  return 0;
}
