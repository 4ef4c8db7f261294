// A wait that ends by its time ends when that time has come, by whatever clock; times of clocks that no wait knows are refused.
// verdict: SAFE
// case: early -DEARLY
// verdict: BUG
// finding: assertion
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t empty;

static struct timespec later(clockid_t clock, long seconds) {
  struct timespec t;
  clock_gettime(clock, &t);
  t.tv_sec += seconds;
  return t;
}

static void has_come(clockid_t clock, struct timespec time) {
  struct timespec now;
  clock_gettime(clock, &now);
#ifdef EARLY
  assert(now.tv_sec < time.tv_sec);
#else
  assert(now.tv_sec > time.tv_sec || (now.tv_sec == time.tv_sec && now.tv_nsec >= time.tv_nsec));
#endif
}

static void *holder(void *unused) {
  struct timespec t = later(CLOCK_MONOTONIC, 4);
  assert(pthread_mutex_clocklock(&lock, CLOCK_MONOTONIC, &t) == ETIMEDOUT);
  has_come(CLOCK_MONOTONIC, t);
  return unused;
}

int main(void) {
  sem_init(&empty, 0, 0);
  pthread_mutex_lock(&lock);
  struct timespec t = later(CLOCK_REALTIME, 1);
  assert(pthread_cond_timedwait(&never, &lock, &t) == ETIMEDOUT);
  has_come(CLOCK_REALTIME, t);
  t = later(CLOCK_MONOTONIC, 100);
  assert(sem_clockwait(&empty, CLOCK_MONOTONIC, &t) == -1 && errno == ETIMEDOUT);
  has_come(CLOCK_MONOTONIC, t);
  t = later(CLOCK_REALTIME, 5);
  pthread_rwlock_rdlock(&rwlock);
  assert(pthread_rwlock_timedwrlock(&rwlock, &t) == ETIMEDOUT);
  has_come(CLOCK_REALTIME, t);
  pthread_rwlock_unlock(&rwlock);
  pthread_rwlock_wrlock(&rwlock);
  assert(pthread_rwlock_timedrdlock(&rwlock, &t) == EDEADLK);
  pthread_rwlock_unlock(&rwlock);

  assert(pthread_cond_clockwait(&never, &lock, CLOCK_PROCESS_CPUTIME_ID, &t) == EINVAL);
  assert(pthread_mutex_clocklock(&other, CLOCK_THREAD_CPUTIME_ID, &t) == EINVAL);
  assert(sem_clockwait(&empty, CLOCK_PROCESS_CPUTIME_ID, &t) == -1 && errno == EINVAL);
  assert(pthread_rwlock_clockrdlock(&rwlock, CLOCK_PROCESS_CPUTIME_ID, &t) == EINVAL);

  pthread_t thread;
  pthread_create(&thread, 0, holder, 0);
  assert(pthread_timedjoin_np(thread, 0, 0) == 0);
  return 0;
}
