/* Hooks for accesses with the values that they read or write. */
#pragma once
#include "weave/insert.h"

/* A number of 64 bits that tells values of the type apart, as far as it has no more bits: a direction, a target. */
LLVMValueRef values_number(struct insert *in, LLVMValueRef value);
/* The hooks for an access of that value: several for a structure, or for more than 8 bytes. `only`: NULL, or whether it is one. */
void values_insert(struct insert *in, LLVMValueRef address, LLVMValueRef value, bool writes, LLVMValueRef only, LLVMValueRef place);
