/* finds: nothing. analysis: ovp. Correct ways to wait: no notification is lost, however the locks are taken. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

#include "moment.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER,
                       outer[5] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int wanted, other, ready, ends[2];
static sem_t permits;

/* Another one's notification wakes the waiter when what it waits for is there, before its own notification. */
static void *waits_for_wanted(void *argument) {
  pthread_mutex_lock(&m);
  while (!wanted) moment_reach(1), pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  moment_reach(3);
  return argument;
}
static void *notifies_late(void *argument) {
  moment_await(1);
  pthread_mutex_lock(&m);
  wanted = 1;
  pthread_mutex_unlock(&m);
  moment_reach(2);
  moment_await(3);
  pthread_cond_broadcast(&c);
  return argument;
}
static void *notifies_others(void *argument) {
  moment_await(2);
  pthread_mutex_lock(&m);
  other++;
  pthread_mutex_unlock(&m);
  pthread_cond_broadcast(&c);
  return argument;
}

/* A semaphore, or a pipe, says whether to wait. */
static void *waits_for_permit(void *argument) {
  pthread_mutex_lock(&m);
  while (sem_trywait(&permits) != 0) moment_reach(4), pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return argument;
}
static void *permits_it(void *argument) {
  moment_await_asleep(4);
  sem_post(&permits);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_cond_signal(&c);
  return argument;
}
static void *waits_for_byte(void *argument) {
  char byte;
  pthread_mutex_lock(&m);
  while (read(ends[0], &byte, 1) != 1) moment_reach(5), pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return argument;
}
static void *sends_byte(void *argument) {
  moment_await(5);
  pthread_mutex_lock(&m);
  if (write(ends[1], "x", 1) != 1) exit(1);
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return argument;
}

/* The condition becomes true behind the notification, in its section; the waiter holds many other locks. */
static void *waits_with_many(void *argument) {
  for (int i = 0; i < 5; i++) pthread_mutex_lock(&outer[i]);
  pthread_mutex_lock(&m);
  while (!ready) moment_reach(6), pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  for (int i = 4; i >= 0; i--) pthread_mutex_unlock(&outer[i]);
  return argument;
}
static void *notifies_first(void *argument) {
  moment_await(6);
  pthread_mutex_lock(&m);
  pthread_cond_signal(&c);
  ready = 1;
  pthread_mutex_unlock(&m);
  return argument;
}

/* What the owner of a robust mutex did before it died is known to the next one. */
static pthread_mutex_t robust;
static int owned;
static void *dies(void *argument) {
  pthread_mutex_lock(&robust);
  owned++;
  moment_reach(7);
  return argument;
}
static void *inherits(void *argument) {
  moment_await_asleep(7);
  if (pthread_mutex_lock(&robust) == EOWNERDEAD) pthread_mutex_consistent(&robust);
  owned++;
  pthread_mutex_unlock(&robust);
  return argument;
}

static void together(void *(*const *threads)(void *), int n) {
  pthread_t t[3];
  for (int i = 0; i < n; i++)
    if (pthread_create(&t[i], NULL, threads[i], NULL) != 0) exit(2);
  for (int i = 0; i < n; i++) pthread_join(t[i], NULL);
}

int main(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&robust, &a);
  sem_init(&permits, 0, 0);
  if (pipe2(ends, O_NONBLOCK) != 0) return 2;
  together((void *(*const[])(void *)){waits_for_wanted, notifies_late, notifies_others}, 3);
  together((void *(*const[])(void *)){waits_for_permit, permits_it}, 2);
  together((void *(*const[])(void *)){waits_for_byte, sends_byte}, 2);
  together((void *(*const[])(void *)){waits_with_many, notifies_first}, 2);
  together((void *(*const[])(void *)){dies, inherits}, 2);
  return owned != 2;
}
