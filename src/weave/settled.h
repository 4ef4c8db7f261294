/* Values that no read of memory decides: computed from constants, addresses of variables and counters of loops alone. Which of several they
 * are, a branch may decide; if so, that branch is one that is recorded, or settled itself.
 *
 *   for (i = 0; i < 10; i++)  table[i] = *p;     i < 10 and &table[i] are settled, p may not be */
#pragma once
#include "weave/local.h"

/* `l`: the module's locals. False if it is not known. */
bool settled(struct locals *l, LLVMValueRef v);
