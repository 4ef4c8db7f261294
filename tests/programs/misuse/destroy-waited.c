// Destroys a condition variable that a thread waits on.
// verdict: BUG
// finding: thread-misuse A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static int waiting, go;

static void *waiter(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  waiting = 1;
  while (!go) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_cond_init(&changed, 0);
  pthread_create(&t, 0, waiter, 0);
  pthread_mutex_lock(&lock);
#ifndef FIXED
  if (waiting) {
    pthread_cond_destroy(&changed);  // @A
    return 0;
  }
#endif
  go = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  pthread_join(t, 0);
  pthread_cond_destroy(&changed);
  return waiting > 1;
}
