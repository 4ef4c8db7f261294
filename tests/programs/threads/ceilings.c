// A mutex with a ceiling is not for threads of a higher priority; who holds it runs with that of the ceiling.
// verdict: SAFE
// case: above -DABOVE
// verdict: BUG
// finding: thread-misuse
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t low, high;

static void init(pthread_mutex_t *m, int ceiling) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_PROTECT);
  assert(pthread_mutexattr_setprioceiling(&a, 0) == EINVAL && pthread_mutexattr_setprioceiling(&a, 100) == EINVAL);
  assert(pthread_mutexattr_setprioceiling(&a, ceiling) == 0);
  pthread_mutex_init(m, &a);
  pthread_mutexattr_destroy(&a);
}

static int priority(void) {
  struct sched_param p;
  sched_getparam(0, &p);
  return p.sched_priority;
}

static void *above(void *unused) {
  struct sched_param p = {.sched_priority = 9};
  pthread_setschedparam(pthread_self(), SCHED_FIFO, &p);
#ifdef ABOVE
  pthread_mutex_lock(&low);
  pthread_mutex_unlock(&low); /* which was not locked */
#else
  assert(pthread_mutex_lock(&low) == EINVAL && pthread_mutex_trylock(&low) == EINVAL);
#endif
  return unused;
}

int main(void) {
  pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
  pthread_t t;
  int ceiling;
  struct sched_param p = {.sched_priority = 4};
  assert(pthread_mutex_getprioceiling(&plain, &ceiling) == EINVAL && pthread_mutex_setprioceiling(&plain, 5, 0) == EINVAL);
  init(&low, 6), init(&high, 8);
  assert(pthread_setschedparam(pthread_self(), SCHED_FIFO, &p) == 0 && priority() == 4);
  pthread_mutex_lock(&low);
  assert(priority() == 6);
  pthread_mutex_lock(&high);
  assert(priority() == 8);
  pthread_mutex_unlock(&high);
  assert(priority() == 6);
  pthread_mutex_unlock(&low);
  assert(priority() == 4);
  pthread_create(&t, 0, above, 0);
  pthread_mutex_lock(&low);
  pthread_mutex_unlock(&low);
  pthread_join(t, 0);
  assert(pthread_mutex_setprioceiling(&low, 9, &ceiling) == 0 && ceiling == 6);
  assert(pthread_mutex_getprioceiling(&low, &ceiling) == 0 && ceiling == 9);
  pthread_mutex_destroy(&low), pthread_mutex_destroy(&high);
  return 0;
}
