// Both sides lock, but not the same mutex.
// verdict: BUG
// finding: data-race A B
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *add(void *unused) {
  (void)unused;
  pthread_mutex_lock(&first);
  total += 2;  // @A
  pthread_mutex_unlock(&first);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
#ifdef FIXED
  pthread_mutex_lock(&first);
#else
  pthread_mutex_lock(&second);
#endif
  total += 3;  // @B
#ifdef FIXED
  pthread_mutex_unlock(&first);
#else
  pthread_mutex_unlock(&second);
#endif
  pthread_join(t, 0);
  (void)second;
  return total > 5;
}
