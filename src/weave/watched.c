#include "weave/watched.h"

#include <string.h>

#include "weave/vptr.h"

static LLVMValueRef behind_offset(LLVMValueRef address) {
  bool offset = LLVMIsAGetElementPtrInst(address) || (LLVMIsAConstantExpr(address) && LLVMGetConstOpcode(address) == LLVMGetElementPtr);
  return offset ? LLVMGetOperand(address, 0) : address;
}

/* Constants, and tables of virtual functions. */
static bool is_constant(unsigned tbaa, LLVMValueRef address) {
  LLVMValueRef v = behind_offset(address);
  return LLVMIsAGlobalVariable(v) ? LLVMIsGlobalConstant(v) : LLVMIsALoadInst(v) && vptr_is_accessed(v, tbaa);
}

/* Counters of profiles and coverage, which threads change without order. */
static bool is_counter(LLVMValueRef address) {
  static const char *const prefixes[] = {"__llvm_gcov", "__llvm_gcda", "__profc_", "__profd_"};
  LLVMValueRef v = behind_offset(address);
  size_t length;
  if (!LLVMIsAGlobalVariable(v)) return false;
  const char *name = LLVMGetValueName2(v, &length);
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) return true;
  return false;
}

bool watched_address(struct locals *l, unsigned tbaa, LLVMValueRef address, bool writes) {
  if (LLVMGetPointerAddressSpace(LLVMTypeOf(address)) != 0 || is_counter(address) || (!writes && is_constant(tbaa, address))) return false;
  return !local_is_private(l, address);
}
