// Timed waits may expire or not: both are explored, and a program that expects one of them is wrong.
// verdict: BUG
// finding: assertion A
// case: fixed -DFIXED
// verdict: SAFE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

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
  struct timespec until;
  int result = 0;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 1;
  pthread_create(&t, 0, setter, 0);
  pthread_mutex_lock(&lock);
  while (!ready && result == 0) result = pthread_cond_timedwait(&changed, &lock, &until);
#ifdef FIXED
  assert(ready || result == ETIMEDOUT);
#else
  assert(ready);  // @A
#endif
  pthread_mutex_unlock(&lock);
  pthread_join(t, 0);
  return 0;
}
