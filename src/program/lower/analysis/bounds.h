/* Accesses that are seen at once to be out of a local's bounds, `int a[2]; a[2] = 1`. LLVM's passes take them for what cannot be, and leave
 * them out. Their locals are kept in memory, so that the machine comes to the access and finds it. */
#pragma once
#include <llvm-c/Core.h>

/* Before passes run. */
void bounds_keep(LLVMModuleRef module);
