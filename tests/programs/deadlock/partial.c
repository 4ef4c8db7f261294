// Two of three threads block for ever; main does not wait for them and the third goes on.
// verdict: BUG
// finding: deadlock A B
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int progress;

static void *forward(void *unused) {
  (void)unused;
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);  // @A
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return 0;
}

static void *backward(void *unused) {
#ifdef FIXED
  return forward(unused);
#endif
  (void)unused;
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);  // @B
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return 0;
}

static void *independent(void *unused) {
  (void)unused;
  for (int i = 0; i < 2; i++) atomic_fetch_add(&progress, 1);
  return 0;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, forward, 0);
  pthread_create(&t[1], 0, backward, 0);
  pthread_create(&t[2], 0, independent, 0);
  pthread_join(t[2], 0);
  pthread_exit(0);
}
