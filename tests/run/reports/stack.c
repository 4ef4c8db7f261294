/* Locals of main() and of another thread. */
#include "launch.h"
static void *child(void *data) {
  *(int *)data = 1;
  moment_reach(0);
  return NULL;
}

static void *parent(void *data) {
  int local[4] = {0};
  pthread_t t;
  launch(0, &t, child, &local[2]);
  local[2] = 2;
  pthread_join(t, NULL);
  return data;
}

static void *other(void *data) {
  ++*(int *)data;
  moment_reach(1);
  return NULL;
}

int main(void) {
  int mine = 0;
  pthread_t t;
  pthread_create(&t, NULL, parent, NULL);
  pthread_join(t, NULL);
  launch(1, &t, other, &mine);
  mine = 2;
  pthread_join(t, NULL);
  return mine & 0;
}
