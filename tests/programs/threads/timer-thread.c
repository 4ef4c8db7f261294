// A timer's function runs in a thread of its own, beside all others.
// verdict: SAFE
// case: fixed-dpor --strategy=dpor
// verdict: SAFE
// case: race -DRACE
// verdict: BUG
// finding: data-race
// case: race-dpor -DRACE --strategy=dpor
// verdict: BUG
// finding: data-race
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static sem_t done;

static void add(void) {
#ifndef RACE
  pthread_mutex_lock(&lock);
#endif
  count++;
#ifndef RACE
  pthread_mutex_unlock(&lock);
#endif
}

static void expired(union sigval value) {
  assert(value.sival_int == 7);
  add();
  sem_post(&done);
}

int main(void) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = expired, .sigev_value.sival_int = 7};
  struct itimerspec at;
  timer_t timer;
  sem_init(&done, 0, 0);
  assert(timer_create(CLOCK_REALTIME, &event, &timer) == 0);
  clock_gettime(CLOCK_REALTIME, &at.it_value);
  at.it_value.tv_sec++;
  at.it_interval = (struct timespec){0, 0};
  assert(timer_settime(timer, TIMER_ABSTIME, &at, 0) == 0);
  add();
  sem_wait(&done);
#ifndef RACE
  assert(count == 2);
#endif
  timer_delete(timer);
  return 0;
}
