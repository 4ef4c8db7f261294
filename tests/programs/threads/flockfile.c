// flockfile() of standard output is a lock like others; a signal to a thread that has ended is lost, and no error.
// verdict: SAFE
// case: free -DFREE
// verdict: BUG
// finding: data-race
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

static int lines;

static void *work(void *unused) {
#ifndef FREE
  flockfile(stdout);
#endif
  lines++;
  puts("a line");
#ifndef FREE
  funlockfile(stdout);
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, SIG_IGN);
  pthread_create(&t, 0, work, 0);
  work(0);
  assert(pthread_kill(t, SIGUSR1) == 0);
  pthread_join(t, 0);
  return lines == 2 ? 0 : 1;
}
