// A buffer of one element with one condition variable for those who put and those who get: a signal may wake one of the same kind, and all
// wait for ever though there is an order in which all end.
// verdict: BUG
// options: --linearizable --threads=3 --arguments=1
// finding: deadlock
// case: two -DFIXED
// options: --linearizable --threads=3 --arguments=1
// verdict: SAFE
#include <heddle.h>
#include <pthread.h>

static pthread_mutex_t lock;
static pthread_cond_t changed, filled;
static int full, element;

#ifdef FIXED
#define FILLED &filled
#else
#define FILLED &changed
#endif

HD_BEGIN(void) {
  pthread_mutex_init(&lock, 0);
  pthread_cond_init(&changed, 0);
  pthread_cond_init(&filled, 0);
}
HD_OPERATION(put, int x) {
  pthread_mutex_lock(&lock);
  while (full) pthread_cond_wait(&changed, &lock);
  full = 1;
  element = x;
  pthread_cond_signal(FILLED);
  pthread_mutex_unlock(&lock);
  return 0;
}
HD_OPERATION(get) {
  pthread_mutex_lock(&lock);
  while (!full) pthread_cond_wait(FILLED, &lock);
  full = 0;
  int x = element;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return x;
}
