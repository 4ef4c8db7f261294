/* Inline assembly of atomic and simple instructions ("lock; incl (%0)", "xchgl %0, %1", "lock xaddq %0, %1", "lock cmpxchgl %2, %1; setz
 * %0", "movl %1, %0") becomes the instructions of LLVM that do the same, so that all that comes later sees atomic accesses. Other
 * statements stay as they are. */
#pragma once
#include <llvm-c/Core.h>

void locked_replace(LLVMModuleRef module);
