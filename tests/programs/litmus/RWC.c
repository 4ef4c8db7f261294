// Read to write causality.
//
// memory: sc
// options: --strategy=dpor
// verdict: SAFE
// case: tso-dpor
// memory: tso
// options: --strategy=dpor
// verdict: BUG
// finding: assertion seen
// case: tso-maximal
// memory: tso
// options: --strategy=maximal
// verdict: BUG
// finding: assertion seen
// case: pso-dpor
// memory: pso
// options: --strategy=dpor
// verdict: BUG
// finding: assertion seen
// case: pso-maximal
// memory: pso
// options: --strategy=maximal
// verdict: BUG
// finding: assertion seen
// case: tso-random
// memory: tso
// options: --strategy=random --executions=20000
// verdict: BUG
// finding: assertion seen
// case: pso-random
// memory: pso
// options: --strategy=random --executions=20000
// verdict: BUG
// finding: assertion seen
#include "litmus.h"

THREAD(one, STORE(x, 1))
THREAD(two, r0 = LOAD(x); r1 = LOAD(y))
THREAD(three, STORE(y, 1); r2 = LOAD(x))
OUTCOME(r0 == 1 && r1 == 0 && r2 == 0, one, two, three) /* @seen */
