/* Locals that only their own thread can reach: nothing but loads and stores is ever done with their addresses.
 *
 * The ThreadSanitizer pass of LLVM 19 asks this of the address that is accessed instead of the local that it lies in. So it takes `s.tail`
 * for private, although `&s` was given to a thread: nobody got the address of `tail` itself. */
#pragma once
#include <llvm-c/Core.h>
#include <stdbool.h>

#include "base/vec.h"

/* Those of a module have a mark as metadata. */
struct locals {
  bool alone;    /* those alone count that no other function touches, nor any instruction that may touch something else instead */
  unsigned mark; /* kind of metadata */
  VEC(LLVMValueRef) work;
};

/* Looks at all locals of the module. To be called before anything is woven. `alone`: values are recorded, so of each local all accesses
 * must be left out, or none. */
void locals_begin(struct locals *l, LLVMModuleRef module, bool alone);
/* True if `address` lies in such a local, however it was computed. */
bool local_is_private(struct locals *l, LLVMValueRef address);
void locals_release(struct locals *l);
