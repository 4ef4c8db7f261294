// Nothing comes of a timer that was disarmed before it expired, so that who waits for it then is deadlocked. What is armed again expires once.
// verdict: SAFE
// case: fixed-dpor --strategy=dpor
// verdict: SAFE
// case: lost -DLOST
// verdict: BUG
// finding: deadlock
// case: lost-naive -DLOST --strategy=naive
// verdict: BUG
// finding: deadlock
// case: lost-dpor -DLOST --strategy=dpor
// verdict: BUG
// finding: deadlock
#include <assert.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

static sem_t expired;
static volatile sig_atomic_t ticks;

static void handle(int number) {
  assert(number == SIGALRM);
  ticks++;
  sem_post(&expired);
}

int main(void) {
  struct itimerspec late = {.it_value.tv_sec = 10}, never = {0}, old;
  timer_t timer;
  sem_init(&expired, 0, 0);
  signal(SIGALRM, handle);
  assert(timer_create(CLOCK_MONOTONIC, 0, &timer) == 0);
  assert(timer_settime(timer, 0, &late, 0) == 0);
  assert(timer_settime(timer, 0, &never, &old) == 0);
  assert(old.it_value.tv_sec == 0 || (old.it_value.tv_sec == 10 && !ticks));
#ifndef LOST
  if (old.it_value.tv_sec) timer_settime(timer, 0, &late, 0);
#endif
  while (sem_wait(&expired)) ; /* EINTR */
  assert(ticks == 1);
  return 0;
}
