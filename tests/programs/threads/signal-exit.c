// A handler that does not return, but jumps, or ends its thread or the process: what it interrupted has stopped between any two of its
// writes, also those that nobody else sees by then.
// verdict: BUG
// finding: assertion A
// case: exit -DEND=pthread_exit(0)
// verdict: BUG
// finding: assertion A
// case: process -DEND=exit(0) -DPROCESS
// verdict: BUG
// finding: assertion B
// case: returns -DEND=(void)0
// verdict: SAFE
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#ifndef END
#define END if (ready) siglongjmp(away, 1)
#endif

static sigjmp_buf away;
static volatile sig_atomic_t ready;
static int first, second;

static void handle(int number) { END; }

static void at_exit(void) {
#ifdef PROCESS
  assert(!first || second);  // @B
#endif
}

static void *work(void *unused) {
  if (sigsetjmp(away, 1)) return unused;
  ready = 1;
  first = 1;
  second = 1;
  ready = 0;
  return unused;
}

int main(void) {
  pthread_t t;
  atexit(at_exit);
  signal(SIGUSR1, handle);
  pthread_create(&t, 0, work, 0);
  pthread_kill(t, SIGUSR1);
  pthread_join(t, 0);
#ifndef PROCESS
  assert(first == second);  // @A
#endif
  return 0;
}
