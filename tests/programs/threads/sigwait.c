// A thread stands by for signals, as daemons have one; the program stops it by a signal of its own. Masks are inherited.
// verdict: SAFE
// case: unblocked -DUNBLOCKED
// verdict: BUG
// finding: abort A
// case: handler -DUNBLOCKED -DHANDLER
// verdict: BUG
// finding: abort B
// case: lost -DLOST
// verdict: BOUNDED
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static int seen;

static void handle(int number) { (void)number; }

static void *stand_by(void *set) {
  int number;
  while (sigwait(set, &number) == 0 && number != SIGUSR1) seen++;
  return 0;
}

int main(void) {
  pthread_t t;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGINT);
#ifdef HANDLER
  signal(SIGINT, handle);
#else
  (void)handle;
#endif
#ifndef UNBLOCKED
  pthread_sigmask(SIG_BLOCK, &set, 0);
#endif
  pthread_create(&t, 0, stand_by, &set);
  pthread_kill(t, SIGINT);  // @A
#ifndef LOST
  pthread_kill(t, SIGUSR1);  // @B
#endif
  pthread_join(t, 0);
  assert(seen <= 1);
  return 0;
}
