// A thread goes round without a visible step: for ever, for very long, or longer than anybody waits. Others are explored all the same.
// verdict: BUG
// finding: assertion A
// case: dpor
// options: --strategy=dpor
// verdict: BUG
// finding: assertion A
// case: naive
// options: --strategy=naive
// verdict: BUG
// finding: assertion A
// case: workers
// options: -j2
// verdict: BUG
// finding: assertion A
// case: tso
// memory: tso
// verdict: BUG
// finding: assertion A
// case: fixed -DFIXED
// verdict: SAFE
// case: fixed-naive -DFIXED
// options: --strategy=naive
// verdict: SAFE
// case: joined -DFIXED -DJOINED
// verdict: BUG
// finding: deadlock B C
// case: joined-dpor -DFIXED -DJOINED
// options: --strategy=dpor
// verdict: BUG
// finding: deadlock B C
// case: drifting -DDRIFTS
// verdict: BUG
// finding: assertion A
// case: counting -DFIXED -DJOINED -DTURNS=100000
// verdict: SAFE
// case: counting-dpor -DFIXED -DJOINED -DTURNS=100000
// options: --strategy=dpor
// verdict: SAFE
// case: behind -DJOINED -DTURNS=100000
// verdict: BUG
// finding: assertion A
// finding: assertion D
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;
static unsigned memory[16];

static void *run(void *unused) {
  (void)unused;
#ifdef TURNS
  for (unsigned i = 0; i < TURNS; i++) memory[i % 16] += i;
  atomic_fetch_add(&count, 1);
#ifndef FIXED
  assert(memory[3] == 0);  // @D
#endif
#else
  volatile unsigned n = 0;
  (void)n;
  for (;;) {  // @C
#ifdef DRIFTS
    n++;
#endif
  }
#endif
  return 0;
}

static void *add(void *unused) {
  (void)unused;
  int before = atomic_fetch_add(&count, 1);
  (void)before;
#ifndef FIXED
  assert(before == 0);  // @A
#endif
  return 0;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, run, 0);
  pthread_create(&t[1], 0, add, 0);
  atomic_fetch_add(&count, 1);
  pthread_join(t[1], 0);
#ifdef JOINED
  pthread_join(t[0], 0);  // @B
#endif
  return 0;
}
