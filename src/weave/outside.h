/* Calls of functions that may not be woven: what they do to memory is found out by looking at it before and behind the call.
 *
 *   ioctl(fd, FIONREAD, &n)     list = {&n, 4};  CALLS(ioctl, list, 1);  ioctl(..);  RETURNS(list)
 *
 * Looked at is the memory that arguments point to: as much of it as is known of the object, or an amount that the runtime chooses. Whether
 * the function is another module's, and woven there, only the run can tell, by a mark before it. (Nothing of this is a variable: where the
 * program's are must be the same when a witness is carried out.) */
#pragma once
#include "weave/insert.h"

struct outside {
  LLVMValueRef f, list; /* of the function that is woven; NULL: it has none yet */
};

/* The function, which is woven, gets its mark. */
void outside_mark(const struct insert *in, LLVMValueRef f);
/* If code that is not woven may call the function, it asks who has called it, and says when it returns. `first`: its first instruction
 * behind its locals. Before anything else is woven into it. */
void outside_enter(struct insert *in, LLVMValueRef f, LLVMValueRef first);
/* Around the call, or the invocation, `i`, in function `f`. */
void outside_weave(struct outside *o, struct insert *in, LLVMValueRef f, LLVMValueRef i);
