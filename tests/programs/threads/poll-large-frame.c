// A loop reads two words, one of them in a function with a large array. It goes on when that one changes.
//
// verdict: SAFE
// case: dpor
// options: --strategy=dpor
// verdict: SAFE
// case: never -DNEVER
// verdict: BUG
// finding: deadlock|livelock
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, other;

static __attribute__((noinline)) int poll(const volatile char *byte, int n) {
  volatile char large[20000];
  for (int i = 0; i < n; i++) large[i] = *byte;
  return other + large[0] - 1;
}

static void *wait(void *unused) {
  volatile char one = 1;
  while (!flag && !poll(&one, 1))
    ;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait, NULL);
#ifndef NEVER
  other = 1;
#endif
  pthread_join(thread, NULL);
  return 0;
}
