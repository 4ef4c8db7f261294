/* What memory pointers may point to: Steensgaard, "Points-to analysis in almost linear time", POPL 1996. Whole objects, without regard to
 * order and calling context. Memory falls into classes; two accesses whose classes differ never touch the same bytes.
 *
 * Functions of the library models are not looked into: what is passed to them, and to external functions that are not known to leave it
 * alone, may be reached from anywhere else that is. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>

#include "base/hash.h"
#include "base/vec.h"

struct point {
  uint32_t parent;  /* in its class; itself: it stands for it */
  uint32_t pointee; /* what the class's members point to; UINT32_MAX: nothing so far */
};

struct points {
  VEC(struct point) points;
  VEC(struct point) work; /* pairs to be joined */
  struct hashmap values;  /* LLVMValueRef -> its point */
  uint32_t unknown;       /* memory that code outside may reach, and all that it points to */
  VEC(uint32_t) params;   /* of functions that are called through pointers, by position */
  uint32_t results;
};

void points_release(struct points *p);
void points_find(struct points *p, LLVMModuleRef module);
/* The class of the memory that `pointer` points to. Stays what it is once points_find() has been called. */
uint32_t points_memory(struct points *p, LLVMValueRef pointer);

/* What a call does, as far as it is known from the name of what is called. */
enum call_kind {
  CALL_INSIDE,   /* a function of the program */
  CALL_POINTER,  /* through a pointer */
  CALL_NOTHING,  /* an intrinsic that only computes, or does nothing */
  CALL_COPY,     /* memcpy, memmove */
  CALL_FILL,     /* memset */
  CALL_ALLOCATE, /* returns fresh memory */
  CALL_SYNC,     /* looks at its own objects alone */
  CALL_START,    /* another thread calls what it is given, or has ended */
  CALL_OUTSIDE   /* anything */
};
enum call_kind call_kind_of(LLVMValueRef call);
/* The function that is called, or NULL. */
LLVMValueRef call_function(LLVMValueRef call);
bool function_is_model(LLVMValueRef f);
/* Is the function's address used other than for calls? */
bool function_is_taken(LLVMValueRef f);
static inline bool is_call(LLVMValueRef v) {
  LLVMOpcode op = LLVMGetInstructionOpcode(v);
  return op == LLVMCall || op == LLVMInvoke;
}
