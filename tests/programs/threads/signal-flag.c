// A thread that waits for its own handler in a loop, of a flag that nobody else touches: it is interrupted in the loop, and goes on.
// verdict: SAFE
// case: nobody -DNOBODY
// verdict: BUG
// finding: deadlock
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t flag;

static void handle(int number) { flag = 1; }

static void *work(void *unused) {
  while (!flag) ;
  return unused;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, handle);
  pthread_create(&t, 0, work, 0);
#ifndef NOBODY
  pthread_kill(t, SIGUSR1);
#endif
  pthread_join(t, 0);
  return 0;
}
