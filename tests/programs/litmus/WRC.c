// Write to read causality.
//
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
// verdict: SAFE
// case: pso-maximal
// memory: pso
// options: --strategy=maximal
// verdict: SAFE
#include "litmus.h"

THREAD(one, STORE(x, 1))
THREAD(two, r0 = LOAD(x); STORE(y, 1))
THREAD(three, r1 = LOAD(y); r2 = LOAD(x))
OUTCOME(r0 == 1 && r1 == 1 && r2 == 0, one, two, three) /* @seen */
