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

/* Does a call keep the address to itself, which is its argument number i? `nocapture` says that the callee leaves no copy of it behind when
 * it returns. In between it may give it to threads: a declaration may say so in the source (`noescape`), and parallel loops do. So that is
 * believed only of what LLVM itself has found it out about, intrinsics, and functions that touch no other memory. */
static bool call_keeps(LLVMValueRef call, unsigned i) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (LLVMIsAIntrinsicInst(call)) return has_attribute(call, i + 1, "nocapture") || function_has(callee, i + 1, "nocapture");
  if (has_attribute(call, i + 1, "byval")) return true;
  if (!LLVMIsAFunction(callee) || i >= LLVMCountParams(callee) || !function_has(callee, i + 1, "nocapture")) return false;
  return !LLVMIsDeclaration(callee) || touches_arguments_alone(call, callee);
}

static bool keeps_in_call(LLVMValueRef call, LLVMValueRef address) {
  unsigned n = LLVMGetNumArgOperands(call);
  if (LLVMGetCalledValue(call) == address) return false;
  /* Bundles of operands are for the callee, too; llvm.assume() has some. */
  if (LLVMGetNumOperandBundles(call) && !LLVMIsAIntrinsicInst(call)) return false;
  for (unsigned i = 0; i < n; i++)
    if (LLVMGetOperand(call, i) == address && !call_keeps(call, i)) return false;
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
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMPHI:
    case LLVMSelect:
    case LLVMFreeze:
      add(l, user);
      return true;
    case LLVMCall:
    case LLVMInvoke:
      return keeps_in_call(user, address);
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

static bool is_private(struct locals *l, LLVMValueRef local) {
  for (size_t i = 0; i < l->known.count; i++)
    if (l->known.data[i].local == local) return l->known.data[i].private;
  bool private = find_private(l, local);
  *vec_push(&l->known) = (struct local_known){local, private};
  return private;
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
  VEC(LLVMValueRef) found = {0};
  bool private = true;
  vec_clear(&l->work);
  add(l, address);
  for (size_t i = 0; i < l->work.count && private; i++) {
    LLVMValueRef v = l->work.data[i];
    if (l->work.count > LONGEST || !LLVMIsAInstruction(v))
    private = false;
    else if (LLVMIsAAllocaInst(v)) * vec_push(&found) = v;
    else private = look_behind(l, v);
  }
  for (size_t i = 0; i < found.count && private; i++) private = is_private(l, found.data[i]);
  vec_release(&found);
  return private;
}

void locals_clear(struct locals *l) { vec_clear(&l->known); }
void locals_release(struct locals *l) {
  vec_release(&l->known);
  vec_release(&l->work);
}
