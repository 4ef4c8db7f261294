// The same state, with more or with fewer visits left: only who has spent one comes to the end of the second loop.
// verdict: BUG
// options: --strategy=naive --loop-bound=3
// finding: assertion A
// case: dpor
// verdict: BUG
// options: --strategy=dpor --loop-bound=3
// finding: assertion A
// case: maximal
// verdict: BUG
// options: --strategy=maximal --loop-bound=3
// finding: assertion A
// case: tighter
// verdict: BOUNDED
// options: --strategy=maximal --loop-bound=2
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void step(void) { atomic_store(&x, 0); }

static void *steps(void *unused) {
  for (unsigned i = hd_choose(3); i < 3; i++) step();
  for (unsigned i = 0; i < 2; i++) step();
  assert(atomic_load(&x));  // @A
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, steps, NULL);
  pthread_join(t, NULL);
  return 0;
}
