// An early return leaves the mutex locked.
// verdict: BUG
// finding: deadlock A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stock = 1;

static int take(void) {
  pthread_mutex_lock(&lock);  // @A
  if (stock == 0) {
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    return 0;
  }
  stock--;
  pthread_mutex_unlock(&lock);
  return 1;
}

static void *client(void *unused) {
  (void)unused;
  take();
  return 0;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, client, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
