/* A thread that is not waited for. */
#include "launch.h"
int done;

static void *work(void *data) {
  done = 1;
  moment_reach(0);
  return data;
}

int main(void) {
  pthread_t t;
  launch(0, &t, work, NULL);
  pthread_detach(t);
  done = 2;
  return 0;
}
