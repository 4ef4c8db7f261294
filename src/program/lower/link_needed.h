/* LLVM's linker, which links parts of a module when it is asked to in C++. */
#pragma once
#include <stdbool.h>

#include <llvm-c/Core.h>

/* Links what `whole` declares and `part` defines, and what that needs of `part`, which is gone then. True if it failed. */
bool link_needed(LLVMModuleRef whole, LLVMModuleRef part);
