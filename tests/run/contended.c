/* finds: nothing. Threads wait for each other's locks a lot, but not for ever: in one order, with a time limit, or with an error. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#include "moment.h"

enum { THREADS = 4, LOCKS = 4, ROUNDS = 2000 };
static pthread_mutex_t outer[THREADS], in_order[LOCKS], checked, recursive, robust, left, right;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t met;
static atomic_int rang;

static void rings(int number) { atomic_fetch_add(&rang, number > 0); }

static void *waits_in_order(void *argument) {
  unsigned random = (unsigned)(long)argument + 1;
  pthread_mutex_lock(&outer[(long)argument]);
  for (int i = 0; i < ROUNDS; i++) {
    random = random * 1103515245 + 12345;
    for (int k = 0; k < LOCKS; k++)
      if (random >> (k + 16) & 1) pthread_mutex_lock(&in_order[k]);
    if (random >> 24 & 1)
      pthread_rwlock_rdlock(&rw);
    else
      pthread_rwlock_wrlock(&rw);
    pthread_mutex_lock(&recursive), pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&checked);
    if (pthread_mutex_lock(&checked) != EDEADLK) abort();
    pthread_mutex_unlock(&checked);
    pthread_mutex_unlock(&recursive), pthread_mutex_unlock(&recursive);
    pthread_rwlock_unlock(&rw);
    for (int k = 0; k < LOCKS; k++)
      if (random >> (k + 16) & 1) pthread_mutex_unlock(&in_order[k]);
  }
  pthread_mutex_unlock(&outer[(long)argument]);
  return NULL;
}

static void *gives_up(void *argument) {
  pthread_mutex_t *first = argument ? &left : &right, *second = argument ? &right : &left;
  struct timespec soon;
  pthread_mutex_lock(first);
  pthread_barrier_wait(&met);
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_nsec += 50000000;
  if (soon.tv_nsec >= 1000000000) soon.tv_sec++, soon.tv_nsec -= 1000000000;
  if (pthread_mutex_timedlock(second, &soon) == 0) pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
  return NULL;
}

static void *dies(void *argument) {
  pthread_mutex_lock(&robust);
  pthread_barrier_wait(&met);
  moment_await_asleep(1);
  return argument;
}
static void *inherits(void *argument) {
  pthread_mutex_lock(&left);
  pthread_barrier_wait(&met);
  moment_reach(1);
  if (pthread_mutex_lock(&robust) == EOWNERDEAD) pthread_mutex_consistent(&robust);
  pthread_mutex_unlock(&robust);
  pthread_mutex_unlock(&left);
  return argument;
}

static void both(void *(*f)(void *), void *(*g)(void *)) {
  pthread_t t, u;
  pthread_create(&t, NULL, f, NULL);
  pthread_create(&u, NULL, g, &t);
  pthread_join(t, NULL), pthread_join(u, NULL);
}

int main(void) {
  pthread_t t[THREADS];
  pthread_mutexattr_t a;
  struct itimerval often = {{0, 2000}, {0, 2000}};
  for (int i = 0; i < THREADS; i++) pthread_mutex_init(&outer[i], NULL);
  for (int i = 0; i < LOCKS; i++) pthread_mutex_init(&in_order[i], NULL);
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checked, &a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&recursive, &a);
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&robust, &a);
  pthread_barrier_init(&met, NULL, 2);
  signal(SIGALRM, rings);
  setitimer(ITIMER_REAL, &often, NULL);
  for (long i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, waits_in_order, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  both(gives_up, gives_up);
  both(dies, inherits);
  return 0;
}
