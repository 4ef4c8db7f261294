/* A signal's handler. */
#include "launch.h"
#include <signal.h>
int seen;

static void handler(int number) { seen = number; }

static void *work(void *data) {
  raise(SIGUSR1);
  moment_reach(0);
  return data;
}

int main(void) {
  signal(SIGUSR1, handler);
  pthread_t t;
  launch(0, &t, work, NULL);
  seen = 0;
  pthread_join(t, NULL);
  return 0;
}
