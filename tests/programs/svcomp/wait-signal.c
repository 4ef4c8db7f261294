// Waiting for a flag with and without a loop, spurious wake-ups allowed.
// verdict: BUG
// options: --spurious
// finding: assertion A
// case: loop -DLOOP
// verdict: SAFE
// options: --spurious
// case: no-spurious
// verdict: SAFE
#include <heddle.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *setter(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&lock);
  pthread_create(&t, 0, setter, 0);
#ifdef LOOP
  while (!ready) pthread_cond_wait(&changed, &lock);
#else
  pthread_cond_wait(&changed, &lock);
#endif
  hd_assert(ready);  // @A
  pthread_mutex_unlock(&lock);
  pthread_join(t, 0);
  return 0;
}
