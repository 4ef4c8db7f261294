// A thread ends holding a mutex that the next one needs.
// verdict: BUG
// finding: deadlock A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *careless(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  pthread_exit(0);
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, careless, 0);
  pthread_join(t, 0);
  pthread_mutex_lock(&lock);  // @A
  pthread_mutex_unlock(&lock);
  return 0;
}
