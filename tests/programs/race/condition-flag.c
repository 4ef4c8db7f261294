// The flag of a condition variable is set outside the mutex.
// verdict: BUG
// finding: data-race A B
// finding?: lost-wakeup|deadlock
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int go;

static void *waiter(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  while (!go)  // @A
    pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waiter, 0);
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  go = 1;  // @B
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  pthread_cond_signal(&changed);
  pthread_join(t, 0);
  return 0;
}
