// Asks again and again whether a thread has ended: it takes its time, but not for ever.
// verdict: SAFE
// case: waits -DWAITS
// verdict: BUG
// finding: deadlock|livelock
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t t;
#ifdef WAITS
  pthread_mutex_lock(&lock);
#endif
  pthread_create(&t, 0, work, 0);
  while (pthread_tryjoin_np(t, 0)) sched_yield();
  return 0;
}
