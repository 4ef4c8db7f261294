/* finds: use of a lock that the thread does not hold A, use of a lock that the thread does not hold B, use of a lock that the thread does not hold C, use of a lock that the thread does not hold D, use of a lock that the thread does not hold G, data race E F; fixed: nothing. Locks that refuse to be given back by who does not hold them. That hands nothing on. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>

#include "moment.h"

static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP, robust;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static mtx_t mtx;
static int value;

static void check(int truth) {
  if (!truth) abort();
}

static void *other(void *argument) {
#ifdef FIXED
  check(pthread_mutex_lock(&recursive) == 0 && pthread_mutex_lock(&recursive) == 0 && pthread_mutex_unlock(&recursive) == 0);
  check(pthread_mutex_lock(&checking) == 0 && pthread_mutex_lock(&checking) == EDEADLK && pthread_mutex_lock(&robust) == 0);
  value = 1;
  check(pthread_mutex_unlock(&recursive) == 0 && pthread_mutex_unlock(&checking) == 0 && pthread_mutex_unlock(&robust) == 0);
#else
  value = 1;                                                /* @E */
  check(pthread_mutex_unlock(&recursive) == EPERM);         /* @A */
  check(pthread_mutex_unlock(&checking) == EPERM);          /* @B */
  check(pthread_mutex_unlock(&robust) == EPERM);            /* @C */
  check(mtx_unlock(&mtx) != thrd_success);                  /* @D */
  check(pthread_cond_wait(&condition, &checking) == EPERM); /* @G */
  moment_reach(0);
#endif
  return argument;
}

int main(void) {
  pthread_mutexattr_t a;
  pthread_t t;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&robust, &a);
  mtx_init(&mtx, mtx_plain | mtx_recursive);
  mtx_lock(&mtx);
  pthread_create(&t, NULL, other, NULL);
#ifdef FIXED
  pthread_join(t, NULL);
#else
  moment_await(0);
#endif
  pthread_mutex_lock(&recursive), pthread_mutex_lock(&checking), pthread_mutex_lock(&robust);
  value = 2; /* @F */
  pthread_mutex_unlock(&robust), pthread_mutex_unlock(&checking), pthread_mutex_unlock(&recursive);
  mtx_unlock(&mtx);
#ifndef FIXED
  pthread_join(t, NULL);
#endif
  return value - 2;
}
