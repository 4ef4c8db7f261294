/* finds: deadlock A, deadlock B C D, deadlock E, deadlock F G. A thread that waits for itself; one that waits to write what it reads;
 * three that wait for each other; readers and writers. */
#include <pthread.h>

#include "await.h"
#include "moment.h"

static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER, a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER,
                       m = PTHREAD_MUTEX_INITIALIZER, free_later = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t upgraded = PTHREAD_RWLOCK_INITIALIZER, r = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t s;
static pthread_barrier_t three, two;

static void *itself(void *argument) {
  pthread_mutex_lock(&own);
  pthread_mutex_lock(&own); /* @A */
  return argument;
}
static void *upgrades(void *argument) {
  pthread_rwlock_rdlock(&upgraded);
  pthread_rwlock_wrlock(&upgraded); /* @E */
  return argument;
}
static void *first(void *argument) {
  pthread_mutex_lock(&a);
  pthread_barrier_wait(&three);
  moment_reach(1);
  pthread_mutex_lock(&b); /* @B */
  return argument;
}
static void *second(void *argument) {
  pthread_mutex_lock(&b);
  pthread_barrier_wait(&three);
  moment_await_asleep(1);
  moment_reach(2);
  pthread_spin_lock(&s); /* @C */
  return argument;
}
static void *third(void *argument) {
  pthread_spin_lock(&s);
  pthread_barrier_wait(&three);
  moment_await(2);
  usleep(10000); /* the second one spins: nothing tells when; any order does */
  pthread_mutex_lock(&a); /* @D */
  return argument;
}
static void *reads(void *argument) {
  pthread_rwlock_rdlock(&r);
  pthread_barrier_wait(&two);
  pthread_mutex_lock(&m); /* @F */
  return argument;
}
static void *writes(void *argument) {
  pthread_mutex_lock(&m);
  pthread_barrier_wait(&two);
  pthread_rwlock_wrlock(&r); /* @G */
  return argument;
}
/* Nobody waits for these for ever. */
static void *patience(void *argument) {
  pthread_mutex_t mine = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mine);
  moment_reach(3);
  pthread_mutex_lock(&free_later);
  pthread_mutex_unlock(&free_later);
  pthread_mutex_unlock(&mine);
  return argument;
}

int main(void) {
  static void *(*const threads[])(void *) = {itself, upgrades, first, second, third, reads, writes, patience};
  pthread_t t[8];
  pthread_spin_init(&s, 0);
  pthread_barrier_init(&three, NULL, 3);
  pthread_barrier_init(&two, NULL, 2);
  pthread_mutex_lock(&free_later);
  for (int i = 0; i < 8; i++) pthread_create(&t[i], NULL, threads[i], NULL);
  moment_await_asleep(3);
  pthread_mutex_unlock(&free_later);
  pthread_join(t[7], NULL);
  end_after_reports(4);
  return 0;
}
