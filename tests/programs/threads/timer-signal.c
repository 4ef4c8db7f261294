// A timer's signal comes at any moment from its expiry on, with the timer's value, and not twice; who waits for it is not deadlocked.
// verdict: SAFE
// case: fixed-naive --strategy=naive
// verdict: SAFE
// case: fixed-dpor --strategy=dpor
// verdict: SAFE
// case: early -DEARLY
// verdict: BUG
// finding: assertion A
// case: early-naive -DEARLY --strategy=naive
// verdict: BUG
// finding: assertion A
// case: early-dpor -DEARLY --strategy=dpor
// verdict: BUG
// finding: assertion A
#include <assert.h>
#include <signal.h>
#include <time.h>

static volatile sig_atomic_t ready, ticks;
static int value;

static void handle(int number, siginfo_t *info, void *context) {
  (void)context;
  assert(number == SIGUSR1 && info->si_code == SI_TIMER && info->si_value.sival_ptr == &value);
#ifdef EARLY
  assert(ready);  // @A
#endif
  ticks++;
}

int main(void) {
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1, .sigev_value.sival_ptr = &value};
  struct itimerspec soon = {.it_value.tv_nsec = 1000}, now;
  sigset_t blocked, before;
  timer_t timer;
  sigaction(SIGUSR1, &action, 0);
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
#ifndef EARLY
  sigprocmask(SIG_BLOCK, &blocked, &before);
#else
  sigprocmask(SIG_BLOCK, 0, &before);
#endif
  assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  assert(timer_settime(timer, 0, &soon, 0) == 0);
  ready = 1;
#ifndef EARLY
  while (!ticks) sigsuspend(&before);
  assert(ticks == 1);
  assert(timer_gettime(timer, &now) == 0 && now.it_value.tv_nsec == 0);
#else
  (void)now;
#endif
  assert(timer_getoverrun(timer) == 0 && timer_delete(timer) == 0 && timer_delete(timer) == -1);
  return 0;
}
