#include "weave/settled.h"

#include <string.h>

/* Longer computations are taken for unsettled: an answer that is always right. */
enum { MOST = 64 };

struct work {
  LLVMValueRef at[MOST];
  unsigned count;
};

static bool add(struct work *w, LLVMValueRef v) {
  for (unsigned i = 0; i < w->count; i++)
    if (w->at[i] == v) return true;
  if (w->count == MOST) return false;
  w->at[w->count++] = v;
  return true;
}

static bool add_operands(struct work *w, LLVMValueRef i, unsigned n) {
  for (unsigned k = 0; k < n; k++)
    if (!add(w, LLVMGetOperand(i, k))) return false;
  return true;
}

/* What callers in the module pass on, if there are no others. */
static bool add_argument(struct work *w, LLVMValueRef argument) {
  LLVMValueRef f = LLVMGetParamParent(argument);
  LLVMLinkage l = LLVMGetLinkage(f);
  unsigned n = 0;
  if (l != LLVMInternalLinkage && l != LLVMPrivateLinkage) return false;
  while (LLVMGetParam(f, n) != argument) n++;
  for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef call = LLVMGetUser(u);
    if (!LLVMIsACallInst(call) && !LLVMIsAInvokeInst(call)) return false;
    if (LLVMGetCalledValue(call) != f || LLVMGetNumArgOperands(call) <= n) return false;
    if (LLVMGetOperand(call, n) == f || !add(w, LLVMGetOperand(call, n))) return false;
  }
  return true;
}

/* Of a local that its function alone touches: what is stored there. */
static bool add_stored(struct work *w, struct locals *l, LLVMValueRef load) {
  LLVMValueRef local = LLVMGetOperand(load, 0);
  if (!LLVMIsAAllocaInst(local) || !local_is_private(l, local)) return false;
  for (LLVMUseRef u = LLVMGetFirstUse(local); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsALoadInst(user) || LLVMIsADbgInfoIntrinsic(user)) continue;
    if (LLVMIsAStoreInst(user) ? !add(w, LLVMGetOperand(user, 0)) : !LLVMIsAIntrinsicInst(user) || LLVMIsAMemIntrinsic(user)) return false;
  }
  return true;
}

static bool add_call(struct work *w, LLVMValueRef call) {
  static const char *const pure[] = {"llvm.umin.", "llvm.umax.", "llvm.smin.",  "llvm.smax.", "llvm.abs.",
                                     "llvm.ctlz.", "llvm.cttz.", "llvm.ctpop.", "llvm.fshl.", "llvm.threadlocal.address"};
  static const char fresh[] = "noalias"; /* a new block of memory */
  unsigned kind = LLVMGetEnumAttributeKindForName(fresh, sizeof fresh - 1);
  LLVMValueRef callee = LLVMGetCalledValue(call);
  size_t length;
  if (LLVMGetCallSiteEnumAttribute(call, LLVMAttributeReturnIndex, kind)) return true;
  if (!LLVMIsAFunction(callee)) return false;
  if (LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeReturnIndex, kind)) return true;
  const char *name = LLVMGetValueName2(callee, &length);
  for (size_t i = 0; i < sizeof pure / sizeof *pure; i++)
    if (strncmp(name, pure[i], strlen(pure[i])) == 0) return add_operands(w, call, LLVMGetNumArgOperands(call));
  return false;
}

static bool look_behind(struct work *w, struct locals *l, LLVMValueRef v) {
  if (LLVMIsAConstant(v) || LLVMIsAAllocaInst(v) || LLVMIsABasicBlock(v)) return true;
  if (LLVMIsAArgument(v)) return add_argument(w, v);
  if (!LLVMIsAInstruction(v)) return false;
  if (LLVMIsAPHINode(v)) {
    for (unsigned i = 0; i < LLVMCountIncoming(v); i++)
      if (!add(w, LLVMGetIncomingValue(v, i))) return false;
    return true;
  }
  if (LLVMIsALoadInst(v)) return add_stored(w, l, v);
  if (LLVMIsACallInst(v)) return add_call(w, v);
  if (LLVMIsACastInst(v) || LLVMIsABinaryOperator(v) || LLVMIsAUnaryOperator(v) || LLVMIsACmpInst(v) || LLVMIsAGetElementPtrInst(v) ||
      LLVMIsASelectInst(v) || LLVMIsAExtractValueInst(v) || LLVMIsAInsertValueInst(v) || LLVMIsAExtractElementInst(v) ||
      LLVMIsAInsertElementInst(v) || LLVMIsAShuffleVectorInst(v) || LLVMIsAFreezeInst(v))
    return add_operands(w, v, (unsigned)LLVMGetNumOperands(v));
  return false;
}

bool settled(struct locals *l, LLVMValueRef v) {
  struct work w = {.at = {v}, .count = 1};
  for (unsigned i = 0; i < w.count; i++)
    if (!look_behind(&w, l, w.at[i])) return false;
  return true;
}
