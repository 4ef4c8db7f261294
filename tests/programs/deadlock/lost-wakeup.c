// Waits without testing the condition: a signal sent before the wait is lost.
// verdict: BUG
// finding: lost-wakeup A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static int finished;

static void *worker(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  finished = 1;
  pthread_cond_signal(&done);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&lock);
#ifdef FIXED
  while (!finished)
#endif
    pthread_cond_wait(&done, &lock);  // @A
  pthread_mutex_unlock(&lock);
  pthread_join(t, 0);
  return 0;
}
