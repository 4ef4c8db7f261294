// Two polite threads that each give their lock back when the other's is taken. In lock step they could do so for ever, but one that runs alone
// for a while gets both locks: the verdict has a note about that, and no finding. The twin takes them in one order.
// verdict: SAFE
// case: dpor
// options: --strategy=dpor
// verdict: SAFE
// case: naive
// options: --strategy=naive
// verdict: SAFE
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *mine, pthread_mutex_t *other) {
  for (;;) {
    pthread_mutex_lock(mine);
#ifdef FIXED
    pthread_mutex_lock(other);
    break;
#else
    if (pthread_mutex_trylock(other) == 0) break;
#endif
    pthread_mutex_unlock(mine);
  }
  pthread_mutex_unlock(other);
  pthread_mutex_unlock(mine);
}

static void *left(void *unused) {
  (void)unused;
  both(&a, &b);
  return 0;
}

static void *right(void *unused) {
  (void)unused;
#ifdef FIXED
  both(&a, &b);
#else
  both(&b, &a);
#endif
  return 0;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, left, 0);
  pthread_create(&t[1], 0, right, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
