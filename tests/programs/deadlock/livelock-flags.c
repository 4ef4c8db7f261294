// Two threads that raise and lower their flags, each waiting for the other to keep its own down: in step they could do so for ever, but one
// that runs alone for a while gets through. Where the flags stay up, nobody ever does.
// verdict: SAFE
// case: up -DUP
// verdict: BUG
// finding: livelock A
// case: up-naive -DUP
// options: --strategy=naive
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
    atomic_store(&want[me], 1);  // @A
    if (!atomic_load(&want[!me])) break;
#ifdef UP
    atomic_store(&want[me], 2);
#else
    atomic_store(&want[me], 0);
#endif
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
