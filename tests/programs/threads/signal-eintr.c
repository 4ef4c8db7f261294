// A wait for a semaphore that a handler interrupts fails with EINTR, unless the handler asks that it goes on; sleep() tells what is left.
// verdict: BUG
// finding: assertion A
// case: restart -DFLAGS=SA_RESTART
// verdict: SAFE
// case: sleep -DSLEEP
// verdict: BUG
// finding: assertion B
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>
#ifndef FLAGS
#define FLAGS 0
#endif

static sem_t s;
static volatile sig_atomic_t handled;

static void handle(int number) { handled = 1; }

static void *work(void *unused) {
#ifdef SLEEP
  unsigned left = sleep(10);
  assert(left == 0 || handled);
  assert(left == 0);  // @B
#else
  int failed = sem_wait(&s);
  assert(!failed || (errno == EINTR && handled));
  assert(!failed);  // @A
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  struct sigaction action = {.sa_handler = handle, .sa_flags = FLAGS};
  sigaction(SIGUSR1, &action, 0);
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, work, 0);
  pthread_kill(t, SIGUSR1);
  sem_post(&s);
  pthread_join(t, 0);
  return 0;
}
