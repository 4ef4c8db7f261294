/* Atomic and plain accesses, of different sizes. */
#include "launch.h"
static int flag;
short half;

static void *work(void *data) {
  __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
  half = 2;
  moment_reach(0);
  return data;
}

int main(void) {
  pthread_t t;
  launch(0, &t, work, NULL);
  flag = 0;
  int high = ((volatile char *)&half)[1];
  pthread_join(t, NULL);
  return high & 0;
}
