// Two mutexes taken in opposite order.
// verdict: BUG
// finding: deadlock A B
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *forward(void *unused) {
  (void)unused;
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);  // @A
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return 0;
}

static void *backward(void *unused) {
  (void)unused;
#ifdef FIXED
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
#else
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);  // @B
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
#endif
  return 0;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, forward, 0);
  pthread_create(&t[1], 0, backward, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
