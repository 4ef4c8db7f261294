/* Many bitcode files become one module, ready to lower: linked, stripped of what nobody reaches, locals promoted. */
#pragma once
#include <stdbool.h>

#include <llvm-c/Core.h>

#include "program/lower/load.h"

/* Marks what comes from a library model: a function attribute, and metadata of variables. */
#define LINK_MODEL_MARK     "heddle-model"
#define FUNCTION_ATTRIBUTES ((LLVMAttributeIndex)LLVMAttributeFunctionIndex) /* the enumerator is negative */

/* Begins the name of what comes behind the program's own function of the rest of the name: the models', or the machine's. */
#define LINK_NEXT_PREFIX "__hd_next."

/* Is the function a library model's? */
bool link_is_model(LLVMValueRef function);

/* On success *module belongs to the caller. */
[[nodiscard]] enum err link_program(LLVMContextRef context, const struct load_options *options, LLVMModuleRef *module, struct diag *d);
