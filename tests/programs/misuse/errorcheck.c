// An error-checking mutex reports what a normal one suffers: these are results, not findings.
// verdict: SAFE
// executions: 1 dpor
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;

static void *other(void *unused) {
  (void)unused;
  assert(pthread_mutex_unlock(&lock) == EPERM);
  assert(pthread_mutex_trylock(&lock) == EBUSY);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  assert(pthread_mutex_init(&lock, &attributes) == 0);
  pthread_mutexattr_destroy(&attributes);
  assert(pthread_mutex_lock(&lock) == 0);
  assert(pthread_mutex_lock(&lock) == EDEADLK);
  pthread_create(&t, 0, other, 0);
  pthread_join(t, 0);
  assert(pthread_mutex_unlock(&lock) == 0);
  assert(pthread_mutex_unlock(&lock) == EPERM);
  assert(pthread_mutex_destroy(&lock) == 0);
  return 0;
}
