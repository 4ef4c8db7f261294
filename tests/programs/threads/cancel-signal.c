// A wait that is cancelled does not consume the signal that another thread waits for.
// verdict: SAFE
// case: locked -DLOCKED
// verdict: BUG
// finding: deadlock
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int tokens, got;

static void unlock(void *unused) {
  (void)unused;
#ifndef LOCKED
  pthread_mutex_unlock(&lock);
#endif
}

static void *taker(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(unlock, 0);
  while (!tokens) pthread_cond_wait(&more, &lock);
  pthread_cleanup_pop(0);
  tokens--;
  got++;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void give(void) {
  pthread_mutex_lock(&lock);
  tokens++;
  pthread_cond_signal(&more);
  pthread_mutex_unlock(&lock);
}

int main(void) {
  void *result;
  pthread_t a, b;
  pthread_create(&a, 0, taker, 0);
  pthread_create(&b, 0, taker, 0);
  give();
  pthread_cancel(a);
  pthread_join(a, &result);
  if (result != PTHREAD_CANCELED) give();
  pthread_join(b, 0);
  assert(got == (result == PTHREAD_CANCELED ? 1 : 2));
  return 0;
}
