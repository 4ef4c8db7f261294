/* finds: data race A B; fixed: nothing. analysis: ovp. quickly. A handler of a timer's signal leaves what it has interrupted by a jump, again and again, while a thread works. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

#include "fixed.h"

enum { TIMES = 30 };
static sigjmp_buf back;
static volatile sig_atomic_t leaps;
static int unguarded;

static void leap(int number) {
  (void)number;
  leaps = leaps + 1;
  siglongjmp(back, 1);
}
static long run(volatile int depth) {
  for (volatile long i = 0; depth == 0; i = i + 1) continue;
  return run(depth - 1) + 1;
}
static void *work(void *argument) {
  lock();
  unguarded++; /* @A */
  unlock();
  return argument;
}

int main(void) {
  pthread_t t;
  sigset_t alarms;
  struct itimerval often = {{0, 1000}, {0, 1000}}, never = {0};
  struct sigaction action = {.sa_handler = leap};
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &alarms, NULL);
  pthread_create(&t, NULL, work, NULL);
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &often, NULL);
  pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
  while (leaps < TIMES)
    if (sigsetjmp(back, 1) == 0) run(20);
  pthread_sigmask(SIG_BLOCK, &alarms, NULL);
  setitimer(ITIMER_REAL, &never, NULL);
  lock();
  unguarded++; /* @B */
  unlock();
  pthread_join(t, NULL);
  return 0;
}
