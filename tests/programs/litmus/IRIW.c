// Independent reads of independent writes: the readers disagree on the order of the stores.
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
THREAD(two, STORE(y, 1))
THREAD(three, r0 = LOAD(x); r1 = LOAD(y))
THREAD(four, r2 = LOAD(y); r3 = LOAD(x))
OUTCOME(r0 == 1 && r1 == 0 && r2 == 1 && r3 == 0, one, two, three, four) /* @seen */
