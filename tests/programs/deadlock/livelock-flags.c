// Two threads that raise and lower their flags in step, each waiting for the other to keep its own down.
// verdict: BUG
// finding: livelock A
// case: fixed -DFIXED
// verdict: SAFE
#include <pthread.h>
#include <stdatomic.h>

static atomic_int want[2];

static void *enter(void *argument) {
  int me = *(int *)argument;
  for (;;) {
    atomic_store(&want[me], 1);
    if (!atomic_load(&want[!me])) break;  // @A
    atomic_store(&want[me], 0);
#ifdef FIXED
    return 0;
#endif
  }
  atomic_store(&want[me], 0);
  return 0;
}

int main(void) {
  pthread_t t[2];
  static int names[2] = {0, 1};
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, enter, &names[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
