// A loop that prints while it waits comes back to its state: variadic arguments are gone with the call.
// verdict: SAFE
// case: naive
// options: --strategy=naive
// verdict: SAFE
// case: dpor
// options: --strategy=dpor
// verdict: SAFE
// case: failing -DFAILS
// verdict: BUG
// finding: assertion A
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int running = 1, done;

static void *work(void *unused) {
  while (running) printf("running %d\n", 1);
#ifdef FAILS
  assert(!done);  // @A
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  running = 0;
  done = 1;
  pthread_join(t, NULL);
  return 0;
}
