// What a handler changes is lost where it comes between a read and a write of the thread that it interrupts, unless that blocks the signal.
// verdict: BUG
// finding: assertion A
// case: blocked -DBLOCKED
// verdict: SAFE
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile int count;

static void handle(int number) { count = count + 1; }

static void *work(void *unused) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
#ifdef BLOCKED
  pthread_sigmask(SIG_BLOCK, &set, 0);
#endif
  count = count + 1;
  pthread_sigmask(SIG_UNBLOCK, &set, 0);
  return unused;
}

int main(void) {
  pthread_t t;
  sigset_t set, before;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  signal(SIGUSR1, handle);
#ifdef BLOCKED
  pthread_sigmask(SIG_BLOCK, &set, &before);
#endif
  pthread_create(&t, 0, work, 0);
  pthread_kill(t, SIGUSR1);
  pthread_join(t, 0);
  assert(count == 2 || count == 1);
#ifndef BLOCKED
  assert(count == 2);  // @A
#endif
  return 0;
}
