// A test-and-set lock around a plain counter; the twin tests and sets in two steps.
// verdict: SAFE
// options: --strategy=dpor
// case: two-step -DTWO_STEP
// verdict: BUG
// options: --strategy=dpor
// finding: data-race A A
// finding?: assertion
// case: count -DASSUME
// verdict: SAFE
// options: --strategy=dpor
// executions: 6
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int locked;
static int counter;

static void lock(void) {
#ifdef ASSUME
  hd_assume(atomic_exchange(&locked, 1) == 0);
#elif defined TWO_STEP
  while (atomic_load(&locked)) {
  }
  atomic_store(&locked, 1);
#else
  while (atomic_exchange(&locked, 1)) {
  }
#endif
}

static void *work(void *unused) {
  (void)unused;
  lock();
  counter++;  // @A
  atomic_store(&locked, 0);
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  hd_assert(counter == N);
  return 0;
}
