// Store buffering, with a look at the clock or the end of a local that others know between the two: neither waits for the buffer.
//
// memory: tso
// options: --strategy=naive
// verdict: BUG
// finding: assertion seen
// case: tso-unfolding
// memory: tso
// options: --strategy=unfolding
// verdict: BUG
// finding: assertion seen
// case: tso-unfolding-local -DLOCAL
// memory: tso
// options: --strategy=unfolding
// verdict: BUG
// finding: assertion seen
// case: tso-maximal
// memory: tso
// options: --strategy=maximal
// verdict: BUG
// finding: assertion seen
// case: tso-maximal-local -DLOCAL
// memory: tso
// options: --strategy=maximal
// verdict: BUG
// finding: assertion seen
// case: tso-mcr
// memory: tso
// options: --strategy=mcr
// verdict: BUG
// finding: assertion seen
// case: tso-mcr-local -DLOCAL
// memory: tso
// options: --strategy=mcr
// verdict: BUG
// finding: assertion seen
// case: tso-mcr-s+
// memory: tso
// options: --strategy=mcr-s+
// verdict: BUG
// finding: assertion seen
// case: tso-mcr-s+-local -DLOCAL
// memory: tso
// options: --strategy=mcr-s+
// verdict: BUG
// finding: assertion seen
// case: pso-maximal
// memory: pso
// options: --strategy=maximal
// verdict: BUG
// finding: assertion seen
// case: pso-maximal-local -DLOCAL
// memory: pso
// options: --strategy=maximal
// verdict: BUG
// finding: assertion seen
// case: pso-mcr
// memory: pso
// options: --strategy=mcr
// verdict: BUG
// finding: assertion seen
// case: pso-mcr-local -DLOCAL
// memory: pso
// options: --strategy=mcr
// verdict: BUG
// finding: assertion seen
// case: pso-mcr-s+
// memory: pso
// options: --strategy=mcr-s+
// verdict: BUG
// finding: assertion seen
// case: pso-mcr-s+-local -DLOCAL
// memory: pso
// options: --strategy=mcr-s+
// verdict: BUG
// finding: assertion seen
#include "litmus.h"

#include <time.h>

#ifdef LOCAL
static _Atomic(int *) shared;
__attribute__((noinline)) static void between(void) {
  int local = 0;
  STORE(shared, &local);
}
#else
static void between(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
}
#endif

THREAD(one, STORE(x, 1); between(); r0 = LOAD(y))
THREAD(two, STORE(y, 1); between(); r1 = LOAD(x))
OUTCOME(r0 == 0 && r1 == 0, one, two) /* @seen */
