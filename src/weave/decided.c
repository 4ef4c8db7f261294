#include "weave/decided.h"

#include <string.h>

/* What is further away is not looked for, nor longer computations: an answer that is always right. */
enum { INSTRUCTIONS_MOST = 256, VALUES_MOST = 32 };

/* Instructions since the branch, the last one first. */
struct since {
  LLVMValueRef at[INSTRUCTIONS_MOST];
  unsigned count;
};

static LLVMBasicBlockRef only_way_to(LLVMBasicBlockRef block) {
  LLVMBasicBlockRef from = NULL;
  for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsAPHINode(user)) continue;
    if (!LLVMIsATerminatorInst(user) || from) return NULL;
    from = LLVMGetInstructionParent(user);
  }
  return block == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block)) ? NULL : from;
}

static bool is_branch(LLVMValueRef i, const struct weave_hooks *hooks) {
  size_t length;
  LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
  const char *name = callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
  return strcmp(name, hooks->branch) == 0 || strcmp(name, hooks->use) == 0;
}

static bool find_branch(struct since *s, LLVMValueRef i, const struct weave_hooks *hooks) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(i);
  while (s->count < INSTRUCTIONS_MOST) {
    LLVMValueRef before = LLVMGetPreviousInstruction(i);
    while (!before) {
      block = only_way_to(block);
      if (!block) return false;
      before = LLVMGetLastInstruction(block);
    }
    i = before;
    if (is_branch(i, hooks)) return true;
    s->at[s->count++] = i;
  }
  return false;
}

static bool came_since(const struct since *s, LLVMValueRef v) {
  for (unsigned i = 0; i < s->count; i++)
    if (s->at[i] == v) return true;
  return false;
}

/* A local that its function alone touches, and has not stored to since. */
static bool has_stayed(const struct since *s, struct locals *l, LLVMValueRef local) {
  if (!LLVMIsAAllocaInst(local) || !local_is_private(l, local)) return false;
  for (LLVMUseRef u = LLVMGetFirstUse(local); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsALoadInst(user) || LLVMIsADbgInfoIntrinsic(user)) continue;
    if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 1) != local || came_since(s, user)) return false;
  }
  return true;
}

static bool is_computed(LLVMValueRef v) {
  return LLVMIsACastInst(v) || LLVMIsABinaryOperator(v) || LLVMIsAUnaryOperator(v) || LLVMIsACmpInst(v) || LLVMIsAGetElementPtrInst(v) ||
         LLVMIsASelectInst(v) || LLVMIsAExtractValueInst(v) || LLVMIsAInsertValueInst(v) || LLVMIsAFreezeInst(v);
}

bool decided(struct locals *l, LLVMValueRef i, LLVMValueRef value, const struct weave_hooks *hooks) {
  struct since since = {.count = 0};
  LLVMValueRef values[VALUES_MOST] = {value};
  unsigned count = 1;
  if (!find_branch(&since, i, hooks)) return false;
  for (unsigned k = 0; k < count; k++) {
    LLVMValueRef v = values[k];
    if (!came_since(&since, v)) continue;
    if (LLVMIsALoadInst(v) && has_stayed(&since, l, LLVMGetOperand(v, 0))) continue;
    unsigned n = (unsigned)LLVMGetNumOperands(v);
    if (!is_computed(v) || count + n > VALUES_MOST) return false;
    for (unsigned o = 0; o < n; o++) values[count++] = LLVMGetOperand(v, o);
  }
  return true;
}
