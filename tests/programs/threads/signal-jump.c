// siglongjmp() out of a handler: what it interrupted is given up, and the mask is as sigsetjmp() has saved it.
// verdict: SAFE
// case: mask -DSAVES=0
// verdict: BUG
// finding: assertion A
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#ifndef SAVES
#define SAVES 1
#endif

static sigjmp_buf away;
static volatile sig_atomic_t ready;
static int steps;

static void handle(int number) {
  if (ready) siglongjmp(away, 1);
}

static void *work(void *unused) {
  sigset_t now;
  if (!sigsetjmp(away, SAVES)) {
    ready = 1;
    steps = 1;
    steps = 2;
  } else {
    assert(steps >= 0 && steps <= 2);
  }
  ready = 0;
  pthread_sigmask(SIG_SETMASK, 0, &now);
  assert(!sigismember(&now, SIGUSR1));  // @A
  return unused;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, handle);
  pthread_create(&t, 0, work, 0);
  pthread_kill(t, SIGUSR1);
  pthread_join(t, 0);
  return 0;
}
