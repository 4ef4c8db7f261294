// Waits on a condition variable while holding a second lock that the notifier needs.
// verdict: BUG
// finding: deadlock A B
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *consumer(void *unused) {
  (void)unused;
#ifndef FIXED
  pthread_mutex_lock(&outer);
#endif
  pthread_mutex_lock(&inner);
  while (!ready) pthread_cond_wait(&changed, &inner);  // @A
  pthread_mutex_unlock(&inner);
#ifndef FIXED
  pthread_mutex_unlock(&outer);
#endif
  return 0;
}

static void *producer(void *unused) {
  (void)unused;
  pthread_mutex_lock(&outer);  // @B
  pthread_mutex_lock(&inner);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&inner);
  pthread_mutex_unlock(&outer);
  return 0;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, consumer, 0);
  pthread_create(&t[1], 0, producer, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
