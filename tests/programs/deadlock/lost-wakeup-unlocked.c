// The flag is atomic and set outside the mutex: the signal may fall between the test and the wait.
// verdict: BUG
// finding: lost-wakeup A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int go;

static void *waiter(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  while (!atomic_load(&go))
    pthread_cond_wait(&changed, &lock);  // @A
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waiter, 0);
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  atomic_store(&go, 1);
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
  pthread_cond_signal(&changed);
  pthread_join(t, 0);
  return 0;
}
