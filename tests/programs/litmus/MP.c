// Message passing.
//
// memory: sc
// options: --strategy=naive
// verdict: SAFE
// case: tso-naive
// memory: tso
// options: --strategy=naive
// verdict: SAFE
// case: pso-naive
// memory: pso
// options: --strategy=naive
// verdict: BUG
// finding: assertion seen
// case: sc-dpor
// memory: sc
// options: --strategy=dpor
// verdict: SAFE
// case: tso-dpor
// memory: tso
// options: --strategy=dpor
// verdict: SAFE
// case: tso-maximal
// memory: tso
// options: --strategy=maximal
// verdict: SAFE
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
// case: tso-icb
// memory: tso
// options: --strategy=icb
// verdict: SAFE
// case: pso-icb
// memory: pso
// options: --strategy=icb
// verdict: BUG
// finding: assertion seen
// case: pso-random
// memory: pso
// options: --strategy=random --executions=20000
// verdict: BUG
// finding: assertion seen
#include "litmus.h"

THREAD(one, STORE(x, 1); STORE(y, 1))
THREAD(two, r0 = LOAD(y); r1 = LOAD(x))
OUTCOME(r0 == 1 && r1 == 0, one, two) /* @seen */
