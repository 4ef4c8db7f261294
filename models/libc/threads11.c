/* <threads.h> over the POSIX primitives, as glibc does it: the types are the same bytes. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>

#include "internal.h"

_Static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) && sizeof(cnd_t) == sizeof(pthread_cond_t), "the same objects");

static int result_of(int error) {
  switch (error) {
    case 0:
      return thrd_success;
    case ENOMEM:
      return thrd_nomem;
    case ETIMEDOUT:
      return thrd_timedout;
    case EBUSY:
      return thrd_busy;
    default:
      return thrd_error;
  }
}

struct start {
  thrd_start_t run;
  void *argument;
};

static void *run_start(void *at) {
  struct start start = *(struct start *)at;
  free(at);
  return (void *)(intptr_t)start.run(start.argument);
}

int thrd_create(thrd_t *thread, thrd_start_t run, void *argument) {
  struct start *start = malloc(sizeof *start);
  if (!start) return thrd_nomem;
  *start = (struct start){run, argument};
  int error = pthread_create(thread, NULL, run_start, start);
  if (error) free(start);
  return error == EAGAIN ? thrd_nomem : result_of(error);
}

int thrd_join(thrd_t thread, int *result) {
  void *value;
  int error = pthread_join(thread, &value);
  if (!error && result) *result = (int)(intptr_t)value;
  return result_of(error);
}

thrd_t thrd_current(void) { return pthread_self(); }
int thrd_equal(thrd_t a, thrd_t b) { return pthread_equal(a, b); }
int thrd_detach(thrd_t thread) { return result_of(pthread_detach(thread)); }
_Noreturn void thrd_exit(int result) { pthread_exit((void *)(intptr_t)result); }
void thrd_yield(void) { sched_yield(); }

int thrd_sleep(const struct timespec *wish, struct timespec *rest) {
  int error = clock_nanosleep(CLOCK_MONOTONIC, 0, wish, rest);
  return error == 0 ? 0 : error == EINTR ? -1 : -2;
}

int mtx_init(mtx_t *m, int type) {
  if (type & ~(mtx_recursive | mtx_timed)) return thrd_error;
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
  return result_of(pthread_mutex_init((pthread_mutex_t *)m, &a));
}

void mtx_destroy(mtx_t *m) { pthread_mutex_destroy((pthread_mutex_t *)m); }
int mtx_lock(mtx_t *m) { return result_of(pthread_mutex_lock((pthread_mutex_t *)m)); }
int mtx_trylock(mtx_t *m) { return result_of(pthread_mutex_trylock((pthread_mutex_t *)m)); }
int mtx_unlock(mtx_t *m) { return result_of(pthread_mutex_unlock((pthread_mutex_t *)m)); }
int mtx_timedlock(mtx_t *restrict m, const struct timespec *restrict at) {
  return result_of(pthread_mutex_timedlock((pthread_mutex_t *)m, at));
}

int cnd_init(cnd_t *c) { return result_of(pthread_cond_init((pthread_cond_t *)c, NULL)); }
void cnd_destroy(cnd_t *c) { pthread_cond_destroy((pthread_cond_t *)c); }
int cnd_signal(cnd_t *c) { return result_of(pthread_cond_signal((pthread_cond_t *)c)); }
int cnd_broadcast(cnd_t *c) { return result_of(pthread_cond_broadcast((pthread_cond_t *)c)); }
int cnd_wait(cnd_t *c, mtx_t *m) { return result_of(pthread_cond_wait((pthread_cond_t *)c, (pthread_mutex_t *)m)); }
int cnd_timedwait(cnd_t *restrict c, mtx_t *restrict m, const struct timespec *restrict at) {
  return result_of(pthread_cond_timedwait((pthread_cond_t *)c, (pthread_mutex_t *)m, at));
}

int tss_create(tss_t *key, tss_dtor_t destroy) { return result_of(pthread_key_create(key, destroy)); }
void tss_delete(tss_t key) { pthread_key_delete(key); }
void *tss_get(tss_t key) { return pthread_getspecific(key); }
int tss_set(tss_t key, void *value) { return result_of(pthread_setspecific(key, value)); }
