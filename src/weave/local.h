/* Locals that only their own thread can reach: nothing but loads and stores is ever done with their addresses.
 *
 * The ThreadSanitizer pass of LLVM 19 asks this of the address that is accessed instead of the local that it lies in. So it takes `s.tail`
 * for private, although `&s` was given to a thread: nobody got the address of `tail` itself. */
#pragma once
#include <llvm-c/Core.h>
#include <stdbool.h>

#include "base/vec.h"

struct local_known {
  LLVMValueRef local;
  bool private;
};
/* What is known of the locals of one function. Zeroed: nothing yet. */
struct locals {
  VEC(struct local_known) known;
  VEC(LLVMValueRef) work;
};

/* True if `address` lies in such a local, however it was computed. */
bool local_is_private(struct locals *l, LLVMValueRef address);
/* For the next function. */
void locals_clear(struct locals *l);
void locals_release(struct locals *l);
