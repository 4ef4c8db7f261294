// Waits on a condition variable without holding the mutex.
// verdict: BUG
// finding: thread-misuse A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int go;

static void *signaller(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  go = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, signaller, 0);
#ifdef FIXED
  pthread_mutex_lock(&lock);
  while (!go) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
#else
  pthread_cond_wait(&changed, &lock);  // @A
#endif
  pthread_join(t, 0);
  return 0;
}
