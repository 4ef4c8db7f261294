/* Branches that say nothing new: what a thread does depends on all that it read before a branch (model.md), so a value that was known
 * there is decided. A second branch on it would also tie the reads in between, on which it does not depend.
 *
 *   t = s->x;  s->x = t + 1;      the address of the write is that of the read: it does not depend on what x is
 *
 * Looked for is a branch that each way to the instruction comes through: before it in its block, or in the blocks that alone lead there. */
#pragma once
#include <llvm-c/Core.h>
#include <stdbool.h>

#include "weave/local.h"
#include "weave/weave.h"

/* Is `value`, which `i` uses, what it is since before the last branch, a call of one of these hooks (`branch`, `use`), that is woven before
 * `i`? */
bool decided(struct locals *l, LLVMValueRef i, LLVMValueRef value, const struct weave_hooks *hooks);
