// Store forwarding: each thread sees its own store before the other can.
//
// memory: sc
// options: --strategy=naive
// verdict: SAFE
// case: tso-naive
// memory: tso
// options: --strategy=naive
// verdict: BUG
// finding: assertion seen
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
// case: tso-icb
// memory: tso
// options: --strategy=icb
// verdict: BUG
// finding: assertion seen
// case: pso-icb
// memory: pso
// options: --strategy=icb
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

THREAD(one, STORE(x, 1); r0 = LOAD(x); r1 = LOAD(y))
THREAD(two, STORE(y, 1); r2 = LOAD(y); r3 = LOAD(x))
OUTCOME(r0 == 1 && r1 == 0 && r2 == 1 && r3 == 0, one, two) /* @seen */
