// Loops of three turns: a bound of three leaves nothing out; one of two stops the threads in them, and the others go on: what these do
// wrong is found.
// verdict: SAFE
// options: --strategy=naive --loop-bound=3
// case: dpor
// verdict: SAFE
// options: --strategy=dpor --loop-bound=3
// case: maximal
// verdict: SAFE
// options: --strategy=maximal --loop-bound=3
// case: icb
// verdict: SAFE
// options: --strategy=icb --loop-bound=3
// case: cut
// verdict: BOUNDED
// options: --strategy=naive --loop-bound=2
// case: cut-dpor
// verdict: BOUNDED
// options: --strategy=dpor --loop-bound=2
// case: cut-maximal
// verdict: BOUNDED
// options: --strategy=maximal --loop-bound=2
// case: others-dpor -DWRONG
// verdict: BUG
// options: --strategy=dpor --loop-bound=2
// finding: assertion A
// case: others-maximal -DWRONG
// verdict: BUG
// options: --strategy=maximal --loop-bound=2
// finding: assertion A
// case: others-random -DWRONG
// verdict: BUG
// options: --strategy=random --executions=50 --loop-bound=2
// finding: assertion A
// case: calls -DCALLS
// verdict: SAFE
// options: --loop-bound=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum;

static void add(void) { atomic_fetch_add(&sum, 1); }

static void *adds(void *unused) {
#ifdef CALLS /* three steps at one place, and no loop */
  add(), add(), add();
#else
  for (int i = 0; i < 3; i++) add();
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, adds, NULL);
#ifdef WRONG
  assert(atomic_load(&sum) != 2 || atomic_load(&sum) != 2);  // @A
#endif
  pthread_join(t, NULL);
  return 0;
}
