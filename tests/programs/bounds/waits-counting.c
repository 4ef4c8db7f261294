// A thread that waits for another one, and counts how long: no two turns of its loop are the same, so nothing but a bound ends it.
// verdict: BOUNDED
// options: --strategy=naive --loop-bound=3
// case: dpor
// verdict: BOUNDED
// options: --strategy=dpor --loop-bound=3
// case: dpor-workers
// verdict: BOUNDED
// options: --strategy=dpor --loop-bound=3 -j 2
// case: maximal
// verdict: BOUNDED
// options: --strategy=maximal --loop-bound=3
// case: icb
// verdict: BOUNDED
// options: --strategy=icb --loop-bound=3
// case: mcr
// verdict: BOUNDED
// options: --strategy=mcr --loop-bound=3
// case: random
// verdict: BOUNDED
// options: --strategy=random --executions=100 --loop-bound=3
// case: buffers
// verdict: BOUNDED
// memory: tso
// options: --strategy=maximal --loop-bound=3
// case: wrong -DWRONG
// verdict: BUG
// options: --strategy=naive --loop-bound=3
// finding: assertion A
// case: wrong-dpor -DWRONG
// verdict: BUG
// options: --strategy=dpor --loop-bound=3
// finding: assertion A
// case: wrong-dpor-workers -DWRONG
// verdict: BUG
// options: --strategy=dpor --loop-bound=3 -j 2
// finding: assertion A
// case: wrong-maximal -DWRONG
// verdict: BUG
// options: --strategy=maximal --loop-bound=3
// finding: assertion A
// case: wrong-mcr -DWRONG
// verdict: BUG
// options: --strategy=mcr --loop-bound=3
// finding: assertion A
// case: wrong-random -DWRONG
// verdict: BUG
// options: --strategy=random --executions=100 --loop-bound=3
// finding: assertion A
// case: wrong-later -DWRONG
// verdict: BOUNDED
// options: --strategy=maximal --loop-bound=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, turns;

static void *waits(void *unused) {
  do atomic_fetch_add(&turns, 1);
  while (!atomic_load(&ready));
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waits, NULL);
  atomic_store(&ready, 1);
#ifdef WRONG
  assert(atomic_load(&turns) < 3);  // @A
#endif
  pthread_join(t, NULL);
  return 0;
}
