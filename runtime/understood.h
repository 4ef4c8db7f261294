/* A library whose functions the runtime knows, so that what it does inside says nothing: its locks and waits are known by what they are for
 * (openmp/). */
#pragma once
#include "base.h"

struct span {
  uintptr_t from, size;
};
extern struct span understood; /* its code; empty at first */
HOT bool is_understood(uintptr_t pc) { return UNLIKELY(pc - understood.from < understood.size); }
