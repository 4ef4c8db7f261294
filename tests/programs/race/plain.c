// Two threads increment a plain counter.
// verdict: BUG
// finding: data-race A A
// case: fixed -DFIXED
// verdict: SAFE
// options: --strategy=dpor
// executions: 2
#include <pthread.h>

static int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *increment(void *unused) {
  (void)unused;
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  counter++;  // @A
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  return 0;
}

int main(void) {
  pthread_t t[2];
  (void)lock;
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, increment, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return counter - 2;
}
