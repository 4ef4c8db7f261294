// A thread parks until it is given a permit; the twin's unpark() does not leave the permit behind if nobody waits.
// verdict: SAFE
// options: --strategy=dpor
// executions: 2
// case: forgetful -DFORGETFUL
// verdict: BUG
// options: --strategy=dpor
// finding: lost-wakeup|deadlock A
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t permit_given = PTHREAD_COND_INITIALIZER;
static int permit, parked;

static void *sleeper(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  parked = 1;
  while (!permit)
    pthread_cond_wait(&permit_given, &lock);  // @A
  permit = 0;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, sleeper, 0);
  pthread_mutex_lock(&lock);
#ifdef FORGETFUL
  if (parked)
#endif
    permit = 1;
  pthread_cond_signal(&permit_given);
  pthread_mutex_unlock(&lock);
  pthread_join(t, 0);
  return parked - 1;
}
