// Store buffering with a full fence between store and load.
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

THREAD(one, STORE(x, 1); FENCE(); r0 = LOAD(y))
THREAD(two, STORE(y, 1); FENCE(); r1 = LOAD(x))
OUTCOME(r0 == 0 && r1 == 0, one, two) /* @seen */
