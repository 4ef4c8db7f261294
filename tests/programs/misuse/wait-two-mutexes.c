// Two threads wait on one condition variable with different mutexes.
// verdict: BUG
// finding: thread-misuse A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
#ifndef FIXED
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
#endif
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int go;

static void *wait_with(void *argument) {
  pthread_mutex_t *mutex = argument;
  pthread_mutex_lock(mutex);
#ifdef FIXED
  while (!go)
#endif
    pthread_cond_wait(&changed, mutex);  // @A
  pthread_mutex_unlock(mutex);
  return 0;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, wait_with, &a);
#ifdef FIXED
  pthread_create(&t[1], 0, wait_with, &a);
#else
  pthread_create(&t[1], 0, wait_with, &b);
#endif
#ifdef FIXED
  pthread_mutex_lock(&a);
  go = 1;
  pthread_mutex_unlock(&a);
  pthread_cond_broadcast(&changed);
#endif
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return go > 1;
}
