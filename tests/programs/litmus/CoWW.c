// Coherence: stores to one location stay in order.
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
// verdict: SAFE
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
// verdict: SAFE
// case: pso-maximal
// memory: pso
// options: --strategy=maximal
// verdict: SAFE
// case: tso-icb
// memory: tso
// options: --strategy=icb
// verdict: SAFE
// case: pso-icb
// memory: pso
// options: --strategy=icb
// verdict: SAFE
#include "litmus.h"

THREAD(one, STORE(x, 1); STORE(x, 2))
THREAD(two, r0 = LOAD(x); r1 = LOAD(x))
OUTCOME((r0 == 2 && r1 == 1) || LOAD(x) != 2, one, two) /* @seen */
