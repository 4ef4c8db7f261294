/* A thread's own variable, which another one has got a pointer to. */
#include "launch.h"
static __thread int mine[2];
static int *shared;

static void *work(void *data) {
  __atomic_store_n(&shared, &mine[1], __ATOMIC_RELAXED);
  moment_reach(0);
  await(1);
  mine[1] = 2;
  return data;
}

int main(void) {
  pthread_t t;
  launch(0, &t, work, NULL);
  *__atomic_load_n(&shared, __ATOMIC_RELAXED) = 3;
  moment_reach(1);
  pthread_join(t, NULL);
  return 0;
}
