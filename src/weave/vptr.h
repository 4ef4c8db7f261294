/* Pointers to tables of virtual functions, which constructors and destructors set again and again to what they are. */
#pragma once
#include <llvm-c/Core.h>
#include <stdbool.h>

/* Does the instruction load or store one? clang says so by the name of the type in metadata of kind `tbaa`, if it optimises. */
bool vptr_is_accessed(LLVMValueRef i, unsigned tbaa);
