/* Libraries that a program may load while it runs: linked into the same module, with their names kept apart, and told in tables that
 * models/libc/dlfcn.c reads. Their constructors run when they are opened.
 *
 * A library's symbol "f" is "f@NAME" in the module. What a library leaves undefined is the program's, else the first other library's that
 * has it, else the models'. Inline functions of C++ are one for all, as for the dynamic linker. */
#pragma once
#include <stdbool.h>

#include <llvm-c/Core.h>

#include "base/vec.h"

/* Zeroed is empty. */
struct libraries {
  VEC(LLVMModuleRef) modules; /* until they are linked */
  VEC(const char *) names;
};

/* Library `module`, which belongs to `l` from now on. */
void libraries_add(struct libraries *l, const char *name, LLVMModuleRef module);
/* All are there: names are kept apart, tables are made. `program` is the module that they are to be linked into. */
void libraries_prepare(struct libraries *l, LLVMModuleRef program);
/* They have been linked into `program`, and models are parsed: makes `__hd_dynamic`, if the program loads anything. Program symbols are
 * those it defines; names of the models' and the machine's functions are found in its string constants. */
void libraries_tell(struct libraries *l, LLVMModuleRef program, LLVMModuleRef *models, size_t nmodels);
void libraries_release(struct libraries *l);
