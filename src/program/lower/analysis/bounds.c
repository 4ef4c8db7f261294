#include "program/lower/analysis/bounds.h"

#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How far from a local's begin a pointer is, and how many bytes are used there. */
struct place {
  LLVMTargetDataRef layout;
  int64_t size; /* of the local */
};

enum { DEPTH_MOST = 32, LARGE = 1 << 30 };

/* What the instruction adds to its pointer; false: that is not a constant. */
static bool offset_of(LLVMTargetDataRef layout, LLVMValueRef gep, int64_t *offset) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  unsigned n = (unsigned)LLVMGetNumOperands(gep);
  for (unsigned i = 1; i < n; i++) {
    LLVMValueRef index = LLVMGetOperand(gep, i);
    if (!LLVMIsAConstantInt(index)) return false;
    int64_t k = LLVMConstIntGetSExtValue(index);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (i > 1 && kind == LLVMStructTypeKind) {
      *offset += (int64_t)LLVMOffsetOfElement(layout, type, (unsigned)k);
      type = LLVMStructGetTypeAtIndex(type, (unsigned)k);
      continue;
    }
    if (i > 1) type = LLVMGetElementType(type);
    if (k > LARGE || k < -LARGE || LLVMABISizeOfType(layout, type) > LARGE) return false;
    *offset += k * (int64_t)LLVMABISizeOfType(layout, type);
  }
  return true;
}

/* The bytes that the user accesses by that operand; 0: none, or not known. */
static int64_t accessed(LLVMTargetDataRef layout, LLVMValueRef user, unsigned operand) {
  LLVMTypeRef type = NULL;
  if (LLVMIsALoadInst(user)) type = LLVMTypeOf(user);
  if (LLVMIsAStoreInst(user) && operand == 1) type = LLVMTypeOf(LLVMGetOperand(user, 0));
  if ((LLVMIsAAtomicRMWInst(user) || LLVMIsAAtomicCmpXchgInst(user)) && operand == 0) type = LLVMTypeOf(LLVMGetOperand(user, 1));
  if (type) return (int64_t)LLVMStoreSizeOfType(layout, type);
  if (!LLVMIsAMemIntrinsic(user) || operand > 1 || (operand == 1 && LLVMIsAMemSetInst(user))) return 0;
  LLVMValueRef length = LLVMGetOperand(user, 2);
  return LLVMIsAConstantInt(length) ? LLVMConstIntGetSExtValue(length) : 0;
}

/* Is one of the uses of the pointer, which is `offset` behind the local's begin, out of bounds? */
static bool is_left(const struct place *p, LLVMValueRef pointer, int64_t offset, unsigned depth) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use && depth < DEPTH_MOST; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAGetElementPtrInst(user) && LLVMGetOperand(user, 0) == pointer) {
      int64_t there = offset;
      if (offset_of(p->layout, user, &there) && is_left(p, user, there, depth + 1)) return true;
      continue;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(user) && i < 2; i++) {
      int64_t bytes = LLVMGetOperand(user, i) == pointer ? accessed(p->layout, user, i) : 0;
      if (bytes > 0 && (offset < 0 || bytes > p->size || offset > p->size - bytes)) return true;
    }
  }
  return false;
}

/* Its address is taken, so it is none that passes may take apart. */
static void keep(LLVMValueRef local) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(local))));
  LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(local));
  LLVMBuildPtrToInt(b, local, LLVMInt64TypeInContext(context), "");
  LLVMDisposeBuilder(b);
}

void bounds_keep(LLVMModuleRef module) {
  struct place p = {.layout = LLVMGetModuleDataLayout(module)};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (!LLVMIsAAllocaInst(i) || !LLVMIsAConstantInt(LLVMGetOperand(i, 0)) || !LLVMTypeIsSized(LLVMGetAllocatedType(i))) continue;
        p.size = (int64_t)LLVMABISizeOfType(p.layout, LLVMGetAllocatedType(i)) * LLVMConstIntGetSExtValue(LLVMGetOperand(i, 0));
        if (is_left(&p, i, 0, 0)) keep(i);
      }
}
