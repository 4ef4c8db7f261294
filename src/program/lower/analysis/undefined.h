/* Locals that are read before they are written must stay so while LLVM turns them into registers. Its promotion may give such a read any
 * value that suits it: `int y; if (c) y = 5; use(y);` becomes use(5). So before it, each local that is going to be promoted is filled with
 * a value that it knows nothing of; behind it, that value becomes `undef` wherever it got to, for which emit.c writes OP_UNDEF. */
#pragma once
#include <llvm-c/Core.h>

void undefined_mark(LLVMModuleRef module);
void undefined_settle(LLVMModuleRef module);
