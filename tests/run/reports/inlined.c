/* Functions that became part of others. */
#include "launch.h"
static int total;

static inline __attribute__((always_inline)) void deep(int n) {
  total += n;
}

static inline __attribute__((always_inline)) void middle(int n) {
  deep(n + 1);
}

static void *work(void *data) {
  middle(3);
  moment_reach(0);
  return data;
}

int main(void) {
  pthread_t t;
  launch(0, &t, work, NULL);
  middle(4);
  pthread_join(t, NULL);
  return 0;
}
