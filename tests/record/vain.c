/* predicts: data-race 0
 * What is tried in vain tells something, too. Who finds the room taken knows that `arrived` was set before; who finds the box empty, that its
 * first content is gone. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
static sem_t room, box, stop;
static int arrived, seen;
static void *enter(void *argument) {
  arrived = 1;
  sem_wait(&room);
  return argument;
}
static void *look(void *argument) {
  usleep(50000);
  if (sem_trywait(&room) == 0)
    sem_post(&room);
  else
    seen = arrived;
  return argument;
}
static void *spend(void *argument) {
  for (int i = 0; i < 200; i++)
    if (sem_trywait(&box) == 0) sem_post(&box);
  return argument;
}
static void times_are_up(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  assert(sem_timedwait(&stop, &now) == -1);
  clock_gettime(CLOCK_MONOTONIC, &now);
  assert(sem_clockwait(&stop, CLOCK_MONOTONIC, &now) == -1);
  assert(sem_post(&stop) == 0 && sem_timedwait(&stop, &now) == 0);
}
static int try_locks(void *locks) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  assert(mtx_trylock(locks) == thrd_busy && mtx_timedlock(locks, &now) == thrd_timedout);
  assert(ftrylockfile(stdout) != 0);
  return 0;
}
int main(void) {
  pthread_t t[2];
  thrd_t u;
  mtx_t lock;
  sem_init(&stop, 0, 0);
  times_are_up();
  sem_post(&stop);
  sem_destroy(&stop);
  sem_init(&stop, 0, 0); /* it begins anew, and what was left there is gone */
  assert(sem_trywait(&stop) == -1);

  sem_init(&room, 0, 1);
  pthread_create(&t[0], 0, enter, 0);
  pthread_create(&t[1], 0, look, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);

  sem_init(&box, 0, 1); /* with a count that changes all the time, no try is told where it would have succeeded */
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, spend, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(sem_trywait(&box) == 0);

  mtx_init(&lock, mtx_timed);
  mtx_lock(&lock), flockfile(stdout);
  thrd_create(&u, try_locks, &lock);
  thrd_join(u, 0);
  funlockfile(stdout), mtx_unlock(&lock);
  return 0;
}
