/* A variable of a function that lasts. */
#include "launch.h"
static int next(void) {
  static int serial;
  return ++serial;
}

static void *work(void *data) {
  next();
  moment_reach(0);
  return data;
}

int main(void) {
  pthread_t t;
  launch(0, &t, work, NULL);
  next();
  pthread_join(t, NULL);
  return 0;
}
