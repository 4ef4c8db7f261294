// Waits on a condition variable without holding the mutex.
// verdict: BUG
// finding: thread-misuse A
// case: timed -DTIMED
// verdict: BUG
// finding: thread-misuse A
// case: recursive -DKIND=PTHREAD_MUTEX_RECURSIVE
// verdict: BUG
// finding: thread-misuse A
// case: errorcheck -DKIND=PTHREAD_MUTEX_ERRORCHECK -DRESULT=EPERM
// verdict: SAFE
// case: fixed -DFIXED
// verdict: SAFE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

#ifndef RESULT
#define RESULT 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int go;

static void *signaller(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  go = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
#ifdef KIND
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, KIND);
  pthread_mutex_init(&lock, &attributes);
#endif
#ifdef TIMED
#define WAIT(c, m) pthread_cond_timedwait(c, m, &(struct timespec){0, 0})
#else
#define WAIT(c, m) pthread_cond_wait(c, m)
#endif
  pthread_create(&t, 0, signaller, 0);
#ifdef FIXED
  pthread_mutex_lock(&lock);
  while (!go) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
#else
  assert(WAIT(&changed, &lock) == RESULT);  // @A
#endif
  pthread_join(t, 0);
  return 0;
}
