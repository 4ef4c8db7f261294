// A handler may read and write pipes, whatever it interrupts: a thread in the midst of such a call, or one that waits for what the handler
// writes.
// verdict: SAFE
// case: empty -DEMPTY
// verdict: BUG
// finding: deadlock
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int ends[2];

static void handle(int number) {
#ifndef EMPTY
  write(ends[1], "a", 1);
#endif
}

static void *work(void *unused) {
  char got = 0;
  assert(read(ends[0], &got, 1) == 1 && got == 'a');
  return unused;
}

int main(void) {
  pthread_t t;
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &action, 0);
  assert(pipe(ends) == 0);
  pthread_create(&t, 0, work, 0);
  pthread_kill(t, SIGUSR1);
  pthread_join(t, 0);
  return 0;
}
