// A robust mutex whose owner ends: the next one is told, repairs, and goes on; without repair the mutex is lost.
// verdict: SAFE
// executions: 1
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t repaired, abandoned;

static void *owner(void *unused) {
  (void)unused;
  pthread_mutex_lock(&repaired);
  pthread_mutex_lock(&abandoned);
  return 0;
}

static void init(pthread_mutex_t *m) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(m, &a);
  pthread_mutexattr_destroy(&a);
}

int main(void) {
  pthread_t t;
  init(&repaired);
  init(&abandoned);
  pthread_create(&t, 0, owner, 0);
  pthread_join(t, 0);
  assert(pthread_mutex_lock(&repaired) == EOWNERDEAD);
  assert(pthread_mutex_consistent(&repaired) == 0);
  pthread_mutex_unlock(&repaired);
  assert(pthread_mutex_lock(&repaired) == 0);
  pthread_mutex_unlock(&repaired);
  assert(pthread_mutex_lock(&abandoned) == EOWNERDEAD);
  pthread_mutex_unlock(&abandoned);
  assert(pthread_mutex_lock(&abandoned) == ENOTRECOVERABLE);
  return 0;
}
