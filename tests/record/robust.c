/* predicts: data-race 0
 * Threads that end while they hold a robust mutex: the next one comes behind their ends. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t plain, inherits;
static int x, y;
static void take(pthread_mutex_t *m) {
  if (pthread_mutex_lock(m) == EOWNERDEAD) pthread_mutex_consistent(m);
}
static void *work(void *argument) {
  take(&inherits);
  take(&plain);
  x++, y++;
  return argument;
}
static void make(pthread_mutex_t *m, int protocol) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
  pthread_mutexattr_setprotocol(&a, protocol);
  pthread_mutex_init(m, &a);
  pthread_mutexattr_destroy(&a);
}
int main(void) {
  pthread_t t[3];
  make(&plain, PTHREAD_PRIO_NONE);
  make(&inherits, PTHREAD_PRIO_INHERIT);
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  take(&plain);
  assert(x == 3 && y == 3);
  pthread_mutex_unlock(&plain);
  return 0;
}
