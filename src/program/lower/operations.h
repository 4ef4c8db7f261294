/* The operations of an object (program/object.h): what makes them callable by number. */
#pragma once
#include <llvm-c/Types.h>

#include "base/err.h"

/* Adds the functions that call the operations, and the table of them, which also names main(), so that the model that has it is linked.
 * ERR_UNSUPPORTED with a message that begins with `name`, the program's: there are no operations, no HD_BEGIN, or a main() as well; an
 * operation has parameters that are no integers. */
[[nodiscard]] enum err operations_prepare(LLVMModuleRef module, const char *name, struct diag *d);
