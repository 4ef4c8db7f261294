/* finds: waits for a condition with two mutexes A A, end of a condition variable that threads wait for B C, end of a condition variable that threads wait for D E; fixed: nothing. Condition variables that are not used as POSIX says. */
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>
#include <unistd.h>

#include "moment.h"

/* One condition, two mutexes. */
static pthread_cond_t both = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int ready[2];
#ifdef BROKEN
enum { MUTEXES = 2 };
#else
enum { MUTEXES = 1 };
#endif
static void *waits(void *argument) {
  int i = argument != NULL, m = MUTEXES > 1 ? i : 0;
  if (i == 1) moment_await_asleep(0);
  pthread_mutex_lock(&mutexes[m]);
  moment_reach(i);
  while (!ready[i]) pthread_cond_wait(&both, &mutexes[m]); /* @A */
  pthread_mutex_unlock(&mutexes[m]);
  return NULL;
}

/* One after the other they are nothing to tell of. */
static void one_after_the_other(void) {
  struct timespec over = {0};
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&mutexes[i]);
    pthread_cond_timedwait(&both, &mutexes[i], &over);
    pthread_mutex_unlock(&mutexes[i]);
  }
}

/* Whoever was notified waits no more, though it may not have come out yet. */
static pthread_cond_t *condition;
static cnd_t *other;
static mtx_t mutex;
static int done;
static pthread_t waiting[2];
static void give_back(void *m) { mtx_unlock(m); }
static void let_go(void *m) { pthread_mutex_unlock(m); }
static void *until_done(void *argument) {
  mtx_lock(&mutex);
  pthread_cleanup_push(give_back, &mutex);
  moment_reach(2);
  while (!done) cnd_wait(other, &mutex); /* @C */
  pthread_cleanup_pop(1);
  return argument;
}
static void *until_set(void *argument) {
  pthread_mutex_lock(&mutexes[0]);
  pthread_cleanup_push(let_go, &mutexes[0]);
  moment_reach(3);
  while (!done) pthread_cond_wait(condition, &mutexes[0]); /* @E */
  pthread_cleanup_pop(1);
  return argument;
}
/* The C library's destruction waits for those that wait. */
static void *cancels(void *argument) {
  usleep(50000);
  pthread_cancel(*(pthread_t *)argument);
  return NULL;
}

int main(void) {
  pthread_t t[2], helper;
  one_after_the_other();
  pthread_create(&t[0], NULL, waits, NULL);
  pthread_create(&t[1], NULL, waits, &t[1]);
  moment_await_asleep(1);
  for (int i = 0; i < MUTEXES; i++) {
    pthread_mutex_lock(&mutexes[i]);
    ready[i] = 1;
    if (MUTEXES == 1) ready[1] = 1;
    pthread_cond_broadcast(&both);
    pthread_mutex_unlock(&mutexes[i]);
  }
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);

  mtx_init(&mutex, mtx_plain);
  other = malloc(sizeof *other);
  condition = malloc(sizeof *condition);
  cnd_init(other);
  pthread_cond_init(condition, NULL);
  pthread_create(&waiting[0], NULL, until_done, NULL);
  pthread_create(&waiting[1], NULL, until_set, NULL);
  moment_await_asleep(2);
  moment_await_asleep(3);
  pthread_mutex_lock(&mutexes[0]);
  mtx_lock(&mutex);
#ifdef FIXED
  done = 1;
  cnd_broadcast(other);
  pthread_cond_signal(condition);
#endif
  mtx_unlock(&mutex);
  pthread_mutex_unlock(&mutexes[0]);
#ifdef BROKEN
  pthread_create(&helper, NULL, cancels, &waiting[0]);
#endif
  cnd_destroy(other); /* @B */
#ifdef BROKEN
  pthread_join(helper, NULL);
  pthread_create(&helper, NULL, cancels, &waiting[1]);
#endif
  pthread_cond_destroy(condition); /* @D */
  pthread_join(waiting[0], NULL);
  pthread_join(waiting[1], NULL);
#ifdef BROKEN
  pthread_join(helper, NULL);
#endif
  return 0;
}
