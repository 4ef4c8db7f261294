// An alarm comes at any moment, also before its program waits for it: a pause() that looks first may last for ever, as far
// as no signal comes from outside.
// verdict: SAFE
// case: fixed-naive --strategy=naive
// verdict: SAFE
// case: fixed-dpor --strategy=dpor
// verdict: SAFE
// case: periodic -DPERIODIC
// verdict: SAFE
// case: lost -DLOST
// verdict: BOUNDED
// case: lost-naive -DLOST --strategy=naive
// verdict: BOUNDED
// case: lost-dpor -DLOST --strategy=dpor
// verdict: BOUNDED
#include <assert.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t rung;

static void handle(int number) {
  (void)number;
  rung = 1;
}

int main(void) {
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGALRM);
  signal(SIGALRM, handle);
#ifndef LOST
  sigprocmask(SIG_BLOCK, &blocked, &before);
#endif
#ifdef PERIODIC
  struct itimerval often = {.it_value.tv_usec = 10, .it_interval.tv_usec = 10}, never = {0}, was;
  assert(setitimer(ITIMER_REAL, &often, 0) == 0);
  while (!rung) sigsuspend(&before);
  rung = 0;
  while (!rung) sigsuspend(&before);
  assert(setitimer(ITIMER_REAL, &never, &was) == 0 && was.it_interval.tv_usec == 10);
  assert(getitimer(ITIMER_REAL, &was) == 0 && was.it_value.tv_usec == 0);
#else
  assert(alarm(2) == 0);
#ifndef LOST
  while (!rung) sigsuspend(&before);
#else
  if (!rung) pause();
#endif
  assert(alarm(0) == 0);
#endif
  return 0;
}
