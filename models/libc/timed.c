/* Waits of the thread library that end at a time. It is read here, before the wait, like the program reads what it points to: another
 * thread's store there races with that. The machine is told a number: nanoseconds of its own clock. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include "internal.h"

typedef const struct timespec *restrict when;

int __hd_mutex_timedlock(pthread_mutex_t *m, uint64_t deadline);
int __hd_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, uint64_t deadline);
int __hd_rwlock_timedrdlock(pthread_rwlock_t *l, uint64_t deadline);
int __hd_rwlock_timedwrlock(pthread_rwlock_t *l, uint64_t deadline);
int __hd_sem_timedwait(sem_t *s, uint64_t deadline);
int __hd_timedjoin(pthread_t thread, void **result, uint64_t deadline);

/* Of which clock the time is need not be known: times of day are all later than what the others come to. */
#define INVALID UINT64_MAX
static uint64_t deadline_of(when at) {
  uint64_t seconds = at->tv_sec < 0 ? 0 : (uint64_t)at->tv_sec, nanoseconds = (uint64_t)at->tv_nsec;
  if (nanoseconds >= HD_GIGA) return INVALID; /* for most of them only if they have to wait */
  if (seconds >= HD_EPOCH) seconds -= HD_EPOCH;
  return seconds < UINT64_MAX / HD_GIGA / 2 ? seconds * HD_GIGA + nanoseconds : UINT64_MAX / 2;
}

static bool is_clock(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC; }

int pthread_mutex_timedlock(pthread_mutex_t *restrict m, when at) { return __hd_mutex_timedlock(m, deadline_of(at)); }
int pthread_mutex_clocklock(pthread_mutex_t *restrict m, clockid_t clock, when at) {
  return is_clock(clock) ? __hd_mutex_timedlock(m, deadline_of(at)) : EINVAL;
}

int pthread_cond_timedwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m, when at) { return __hd_cond_timedwait(c, m, deadline_of(at)); }
int pthread_cond_clockwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m, clockid_t clock, when at) {
  return is_clock(clock) ? __hd_cond_timedwait(c, m, deadline_of(at)) : EINVAL;
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict l, when at) { return __hd_rwlock_timedrdlock(l, deadline_of(at)); }
int pthread_rwlock_clockrdlock(pthread_rwlock_t *restrict l, clockid_t clock, when at) {
  return is_clock(clock) ? __hd_rwlock_timedrdlock(l, deadline_of(at)) : EINVAL;
}
int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict l, when at) { return __hd_rwlock_timedwrlock(l, deadline_of(at)); }
int pthread_rwlock_clockwrlock(pthread_rwlock_t *restrict l, clockid_t clock, when at) {
  return is_clock(clock) ? __hd_rwlock_timedwrlock(l, deadline_of(at)) : EINVAL;
}

int sem_timedwait(sem_t *restrict s, when at) { return __hd_sem_timedwait(s, deadline_of(at)); }
int sem_clockwait(sem_t *restrict s, clockid_t clock, when at) {
  if (!is_clock(clock)) return HD_ERRNO = EINVAL, -1;
  return __hd_sem_timedwait(s, deadline_of(at));
}

/* Without a time they wait as pthread_join() does. */
int pthread_timedjoin_np(pthread_t thread, void **result, when at) {
  return at ? __hd_timedjoin(thread, result, deadline_of(at)) : pthread_join(thread, result);
}
int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock, when at) {
  return is_clock(clock) ? pthread_timedjoin_np(thread, result, at) : EINVAL;
}
