/* Calls of hooks, put into a function. */
#pragma once
#include <llvm-c/Target.h>

#include "weave/weave.h"

struct insert {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder;
  LLVMTargetDataRef data;
  const struct weave_hooks *hooks;
  bool looped; /* what comes next is in a loop */
  LLVMTypeRef nothing, pointer, integer /* of 64 bits */, order /* int */;
};

void insert_begin(struct insert *in, LLVMModuleRef module, const struct weave_hooks *hooks);
void insert_end(struct insert *in);
/* Is the function one that is woven with its module? It has code here, and does not ask to be left alone. */
bool insert_is_woven(LLVMValueRef f);
/* What comes next is inserted before `at`, and belongs to its line, or at least to the function `f`. */
void insert_before(struct insert *in, LLVMValueRef f, LLVMValueRef at);
/* The same, but it belongs to the line of `as`. */
void insert_before_as(struct insert *in, LLVMValueRef as, LLVMValueRef at);
/* Calls `name`, a function of that type, which is declared if it is not there. */
LLVMValueRef insert_call(struct insert *in, const char *name, LLVMTypeRef result, LLVMValueRef *arguments, unsigned n);
/* The hooks for an access of so many bytes, of which the first lies at a multiple of `alignment`. */
void insert_access(struct insert *in, LLVMValueRef address, uint64_t size, unsigned alignment, bool writes);
/* Loads and stores of some elements of a vector, as LLVM calls them: operands, and what they do. */
struct insert_masked_kind {
  const char *name;
  unsigned address, alignment, mask;
  bool writes;
};
/* NULL if the call is none. */
const struct insert_masked_kind *insert_masked_kind(LLVMValueRef call);
/* For one of a vector's elements, those for which `mask` is true: at `address` side by side, or at several addresses. */
void insert_masked(struct insert *in, LLVMValueRef f, LLVMTypeRef vector, LLVMValueRef address, LLVMValueRef mask, unsigned alignment,
                   bool writes);
enum { INSERT_SHORT = 32 }; /* so many bytes are some accesses, more are a range */
/* For one of any number of bytes, an LLVM value. */
void insert_range(struct insert *in, LLVMValueRef address, LLVMValueRef size, unsigned alignment, bool writes);
/* For a loop's accesses of `size` bytes each, `length` bytes together. */
void insert_run(struct insert *in, LLVMValueRef address, LLVMValueRef length, unsigned size, bool writes);
/* The hook in place of memcpy(to, from, n), memmove(to, from, n), memset(to, byte, n); NULL if it is a few accesses, or may be no call. */
const char *insert_block_name(const struct insert *in, LLVMValueRef i);
/* Replaces memcpy(), memmove() or memset() by a call of `name`. */
void insert_block(struct insert *in, LLVMValueRef i, const char *name);
/* Is there a hook for such an update? */
bool insert_has_update(LLVMAtomicRMWBinOp op);
/* An operand of inline assembler `i`, that is atomic: what it orders. */
struct assembler_operand;
void insert_operand(struct insert *in, LLVMValueRef i, const struct assembler_operand *o);
/* A fence of the strongest order. */
void insert_fence(struct insert *in);
/* Replaces an atomic operation; false if it is one without a hook. */
bool insert_atomic(struct insert *in, LLVMValueRef i);
