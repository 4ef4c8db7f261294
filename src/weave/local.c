#include "weave/local.h"

#include <string.h>

/* Longer ways are taken for those of locals that others reach: an answer that is always right. */
enum { LONGEST = 200 };

static void add(struct locals *l, LLVMValueRef v) {
  for (size_t i = 0; i < l->work.count; i++)
    if (l->work.data[i] == v) return;
  *vec_push(&l->work) = v;
}

static uint64_t attribute_value(LLVMValueRef call, LLVMAttributeIndex at, const char *name) {
  LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, at, LLVMGetEnumAttributeKindForName(name, strlen(name)));
  return a ? LLVMGetEnumAttributeValue(a) : 0;
}
static bool has_attribute(LLVMValueRef call, LLVMAttributeIndex at, const char *name) {
  return LLVMGetCallSiteEnumAttribute(call, at, LLVMGetEnumAttributeKindForName(name, strlen(name))) != NULL;
}
static bool function_has(LLVMValueRef function, LLVMAttributeIndex at, const char *name) {
  return LLVMGetEnumAttributeAtIndex(function, at, LLVMGetEnumAttributeKindForName(name, strlen(name))) != NULL;
}

/* Attribute memory(...): two bits for each kind of memory, memory behind arguments first. */
static bool touches_arguments_alone(LLVMValueRef call, LLVMValueRef callee) {
  enum { ARGUMENTS = 3 };
  LLVMAttributeRef a =
      LLVMGetEnumAttributeAtIndex(callee, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, LLVMGetEnumAttributeKindForName("memory", 6));
  if (has_attribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "memory"))
    return (attribute_value(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "memory") & ~(uint64_t)ARGUMENTS) == 0;
  return a && (LLVMGetEnumAttributeValue(a) & ~(uint64_t)ARGUMENTS) == 0;
}

/* The definition that every call reaches: no other module can have another one instead. */
static bool is_final(LLVMValueRef f) {
  LLVMLinkage l = LLVMGetLinkage(f);
  return !LLVMIsDeclaration(f) && (l == LLVMExternalLinkage || l == LLVMInternalLinkage || l == LLVMPrivateLinkage);
}

/* Does a call keep the address to itself, which is its argument number i? What functions of the module do with it is looked at, too.
 * `nocapture` says that the callee leaves no copy of it behind when it returns. In between it may give it to threads: a declaration may say
 * so in the source (`noescape`), and parallel loops do. So that is believed only of intrinsics, and of functions that touch no other
 * memory. */
static bool call_keeps(struct locals *l, LLVMValueRef call, unsigned i) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (LLVMIsAIntrinsicInst(call)) return has_attribute(call, i + 1, "nocapture") || function_has(callee, i + 1, "nocapture");
  if (l->alone) return false;
  if (has_attribute(call, i + 1, "byval")) return true;
  if (!LLVMIsAFunction(callee) || i >= LLVMCountParams(callee)) return false;
  if (is_final(callee)) {
    add(l, LLVMGetParam(callee, i));
    return true;
  }
  return function_has(callee, i + 1, "nocapture") && touches_arguments_alone(call, callee);
}

static bool keeps_in_call(struct locals *l, LLVMValueRef call, LLVMValueRef address) {
  unsigned n = LLVMGetNumArgOperands(call);
  if (LLVMGetCalledValue(call) == address) return false;
  /* Bundles of operands are for the callee, too; llvm.assume() has some. */
  if (LLVMGetNumOperandBundles(call) && !LLVMIsAIntrinsicInst(call)) return false;
  for (unsigned i = 0; i < n; i++)
    if (LLVMGetOperand(call, i) == address && !call_keeps(l, call, i)) return false;
  return true;
}

/* Is the address only used to load and store there? What is computed from it is looked at later. */
static bool use_keeps(struct locals *l, LLVMValueRef user, LLVMValueRef address) {
  switch ((int)LLVMGetInstructionOpcode(user)) {
    case LLVMLoad:
    case LLVMICmp:
      return true;
    case LLVMStore:
      return LLVMGetOperand(user, 0) != address;
    case LLVMAtomicRMW:
      return LLVMGetOperand(user, 1) != address;
    case LLVMAtomicCmpXchg:
      return LLVMGetOperand(user, 1) != address && LLVMGetOperand(user, 2) != address;
    case LLVMPHI:
    case LLVMSelect:
      add(l, user);
      return !l->alone;
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMFreeze:
      add(l, user);
      return true;
    case LLVMCall:
    case LLVMInvoke:
      return keeps_in_call(l, user, address);
    default:
      return false;
  }
}

static bool find_private(struct locals *l, LLVMValueRef local) {
  vec_clear(&l->work);
  add(l, local);
  for (size_t i = 0; i < l->work.count; i++) {
    if (l->work.count > LONGEST) return false;
    LLVMValueRef address = l->work.data[i];
    for (LLVMUseRef u = LLVMGetFirstUse(address); u; u = LLVMGetNextUse(u))
      if (!LLVMIsAInstruction(LLVMGetUser(u)) || !use_keeps(l, LLVMGetUser(u), address)) return false;
  }
  return true;
}

static bool is_private(const struct locals *l, LLVMValueRef local) { return LLVMGetMetadata(local, l->mark) != NULL; }

void locals_begin(struct locals *l, LLVMModuleRef module, bool alone) {
  l->alone = alone;
  static const char name[] = "heddle.private";
  LLVMContextRef c = LLVMGetModuleContext(module);
  LLVMValueRef mark = LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, NULL, 0));
  l->mark = LLVMGetMDKindIDInContext(c, name, sizeof name - 1);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAAllocaInst(i) && find_private(l, i)) LLVMSetMetadata(i, l->mark, mark);
}

/* Adds what the address may be computed from; false if that is unknown. */
static bool look_behind(struct locals *l, LLVMValueRef v) {
  switch ((int)LLVMGetInstructionOpcode(v)) {
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMFreeze:
      add(l, LLVMGetOperand(v, 0));
      return true;
    case LLVMSelect:
      add(l, LLVMGetOperand(v, 1)), add(l, LLVMGetOperand(v, 2));
      return true;
    case LLVMPHI:
      for (unsigned i = 0; i < LLVMCountIncoming(v); i++) add(l, LLVMGetIncomingValue(v, i));
      return true;
    default:
      return false;
  }
}

bool local_is_private(struct locals *l, LLVMValueRef address) {
  vec_clear(&l->work);
  add(l, address);
  for (size_t i = 0; i < l->work.count; i++) {
    LLVMValueRef v = l->work.data[i];
    if (l->work.count > LONGEST || !LLVMIsAInstruction(v)) return false;
    if (LLVMIsAAllocaInst(v) ? !is_private(l, v) : !look_behind(l, v)) return false;
  }
  return true;
}

void locals_release(struct locals *l) { vec_release(&l->work); }
