/* Inline assembly of one atomic instruction ("lock; incl (%0)", "xchgl %0, %1", "lock xaddq %0, %1", "lock cmpxchgl %2, %1") becomes the
 * instruction of LLVM that does the same, so that all that comes later sees an atomic access. Other statements stay as they are. */
#pragma once
#include <llvm-c/Core.h>

void locked_replace(LLVMModuleRef module);
