#include "weave/outside.h"

#include <string.h>

enum { ARGUMENTS = WEAVE_OUTSIDE_MOST };

static bool begins_with(const char *name, const char *prefix) { return strncmp(name, prefix, strlen(prefix)) == 0; }

/* The runtime's own, and what it understands (OpenMP's). */
static bool is_understood(const char *name) {
  static const char *const prefixes[] = {"__heddle", "hd_", "__tsan_", "Annotate", "__cxa_", "_Unwind_", "__kmpc_", "GOMP_", "omp_"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (begins_with(name, prefixes[i])) return true;
  return false;
}

/* Functions that look at no more of what they are given than its address, or at memory that the C library keeps for itself. */
static bool looks_at_nothing(const char *name) {
  static const char names[] =
      " __fpending __freading __fwriting __pthread_register_cancel __pthread_unregister_cancel clearerr clearerr_unlocked dladdr feof"
      " feof_unlocked ferror ferror_unlocked fileno fileno_unlocked freeaddrinfo freeifaddrs globfree globfree64 malloc_trim"
      " malloc_usable_size posix_madvise pthread_attr_destroy pthread_mutexattr_destroy regfree setbuf"
      " setlinebuf wordfree ";
  size_t n = strlen(name);
  for (const char *at = names; (at = strstr(at, name)); at += n)
    if (at[-1] == ' ' && at[n] == ' ') return true;
  return false;
}

static LLVMAttributeRef attribute(LLVMValueRef call, LLVMValueRef callee, LLVMAttributeIndex at, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, at, kind);
  return a || !LLVMIsAFunction(callee) ? a : LLVMGetEnumAttributeAtIndex(callee, at, kind);
}
static bool has(LLVMValueRef call, LLVMValueRef callee, LLVMAttributeIndex at, const char *name) {
  return attribute(call, callee, at, name) != NULL;
}

/* Through a pointer it may be any. */
static bool may_be_outside(LLVMValueRef call, LLVMValueRef callee) {
  const LLVMAttributeIndex all = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  size_t length;
  const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : NULL;
  if (LLVMIsAInlineAsm(callee) || LLVMIsAIntrinsicInst(call)) return false;
  if (name && (is_understood(name) || looks_at_nothing(name) || insert_is_woven(callee))) return false;
  bool jumps = LLVMIsACallInst(call) && LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail;
  return !jumps && !has(call, callee, all, "returns_twice") && !has(call, callee, all, "noreturn");
}

/* A weak variable that nobody defines is nowhere. */
static bool is_there(LLVMValueRef global) {
  return LLVMTypeIsSized(LLVMGlobalGetValueType(global)) && LLVMGetLinkage(global) != LLVMExternalWeakLinkage;
}

static bool is_element(LLVMValueRef v) {
  return LLVMIsAGetElementPtrInst(v) || (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr);
}

/* Adds how far an element is from the address that it is computed from; false if that is not known, or is before it. */
static bool add_offset(const struct insert *in, LLVMValueRef element, uint64_t *offset) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(element);
  for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(element); k++) {
    LLVMValueRef index = LLVMGetOperand(element, k);
    bool fields = k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind;
    if (!LLVMIsAConstantInt(index) || LLVMConstIntGetSExtValue(index) < 0 ||
        (k > 1 && !fields && LLVMGetTypeKind(type) != LLVMArrayTypeKind))
      return false;
    uint64_t n = LLVMConstIntGetZExtValue(index);
    LLVMTypeRef outer = type;
    if (k > 1) type = fields ? LLVMStructGetTypeAtIndex(outer, (unsigned)n) : LLVMGetElementType(outer);
    *offset += fields ? LLVMOffsetOfElement(in->data, outer, (unsigned)n) : n * LLVMABISizeOfType(in->data, type);
  }
  return true;
}

/* How many bytes there are from the address on; 0: that is not known. */
static uint64_t size_behind(const struct insert *in, LLVMValueRef address) {
  uint64_t offset = 0;
  for (; is_element(address); address = LLVMGetOperand(address, 0))
    if (!add_offset(in, address, &offset)) return 0;
  uint64_t size = 0;
  if (LLVMIsAAllocaInst(address) && LLVMIsAConstantInt(LLVMGetOperand(address, 0)))
    size = LLVMABISizeOfType(in->data, LLVMGetAllocatedType(address)) * LLVMConstIntGetZExtValue(LLVMGetOperand(address, 0));
  else if (LLVMIsAGlobalVariable(address) && is_there(address))
    size = LLVMABISizeOfType(in->data, LLVMGlobalGetValueType(address));
  return size > offset ? size - offset : 0;
}

/* What its object has, if that is a variable, or what the argument's attributes promise. */
static uint64_t size_of_argument(const struct insert *in, LLVMValueRef call, LLVMValueRef callee, unsigned i) {
  uint64_t size = size_behind(in, LLVMGetOperand(call, i));
  LLVMAttributeRef result = attribute(call, callee, i + 1, "sret"), bytes = attribute(call, callee, i + 1, "dereferenceable");
  if (size) return size | WEAVE_VARIABLE;
  if (result) return LLVMABISizeOfType(in->data, LLVMGetTypeAttributeValue(result));
  return bytes && LLVMGetEnumAttributeValue(bytes) > WEAVE_GUESSED ? LLVMGetEnumAttributeValue(bytes) : 0; /* a base class's, perhaps */
}

static bool is_looked_at(LLVMValueRef call, LLVMValueRef callee, unsigned i) {
  LLVMValueRef v = LLVMGetOperand(call, i);
  LLVMTypeRef type = LLVMTypeOf(v);
  bool constant = LLVMIsAGlobalVariable(v) && LLVMIsGlobalConstant(v);
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) == 0 && !LLVMIsNull(v) && !LLVMIsAFunction(v) &&
         !constant && !has(call, callee, i + 1, "byval") && !has(call, callee, i + 1, "readnone");
}

static LLVMTypeRef list_type(const struct insert *in) { return LLVMArrayType2(in->integer, 2 * ARGUMENTS); }

static LLVMValueRef add_local(const struct insert *in, LLVMValueRef f, LLVMTypeRef type) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(in->context);
  LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
  LLVMValueRef local = LLVMBuildAlloca(b, type, "");
  LLVMDisposeBuilder(b);
  return local;
}

/* One list for all calls of the function: while one of them is under way, there is no other. */
static LLVMValueRef list_of(struct outside *o, const struct insert *in, LLVMValueRef f) {
  if (o->f != f || !o->list) *o = (struct outside){f, add_local(in, f, list_type(in))};
  return o->list;
}

static void put(const struct insert *in, LLVMValueRef list, unsigned at, LLVMValueRef value) {
  LLVMValueRef index = LLVMConstInt(in->integer, at, false);
  LLVMBuildStore(in->builder, value, LLVMBuildGEP2(in->builder, in->integer, list, &index, 1, ""));
}

void outside_mark(const struct insert *in, LLVMValueRef f) {
  if (!in->hooks->outside_calls || LLVMHasPrefixData(f)) return;
  LLVMSetPrefixData(f, LLVMConstInt(in->integer, WEAVE_WOVEN, false));
}

/* Where a function goes on when the call has returned. */
static LLVMValueRef behind(LLVMValueRef i) {
  if (!LLVMIsAInvokeInst(i)) return LLVMGetNextInstruction(i);
  LLVMValueRef next = LLVMGetFirstInstruction(LLVMGetNormalDest(i));
  while (next && LLVMIsAPHINode(next)) next = LLVMGetNextInstruction(next);
  return next;
}

/* Of memory it reads at most what its arguments point to. (LLVM's attribute has two bits for each kind of memory, the first of which says
 * that it is read; the first kind are arguments.) */
static bool reads_no_state(LLVMValueRef call, LLVMValueRef callee) {
  enum { READS = 1, BITS = 2 };
  LLVMAttributeRef memory = attribute(call, callee, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "memory");
  uint64_t others = memory ? LLVMGetEnumAttributeValue(memory) >> BITS : READS;
  for (; others; others >>= BITS)
    if (others & READS) return false;
  return true;
}

void outside_weave(struct outside *o, struct insert *in, LLVMValueRef f, LLVMValueRef i) {
  LLVMValueRef callee = LLVMGetCalledValue(i), next = behind(i);
  unsigned arguments[ARGUMENTS], n = 0;
  if (!in->hooks->outside_calls || !next || !may_be_outside(i, callee)) return;
  for (unsigned k = 0; k < LLVMGetNumArgOperands(i) && n < ARGUMENTS; k++)
    if (is_looked_at(i, callee, k)) arguments[n++] = k;
  if (n == 0 && reads_no_state(i, callee)) return;
  LLVMValueRef list = list_of(o, in, f);
  insert_before(in, f, i);
  for (unsigned k = 0; k < n; k++) {
    put(in, list, 2 * k, LLVMBuildPtrToInt(in->builder, LLVMGetOperand(i, arguments[k]), in->integer, ""));
    put(in, list, 2 * k + 1, LLVMConstInt(in->integer, size_of_argument(in, i, callee, arguments[k]), false));
  }
  LLVMValueRef calls[] = {callee, list, LLVMConstInt(in->integer, n, false)};
  insert_call(in, in->hooks->outside_calls, in->nothing, calls, 3);
  insert_before_as(in, i, next);
  insert_call(in, in->hooks->outside_returns, in->nothing, &list, 1);
}

static bool has_pointers_to(LLVMValueRef f) {
  for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    bool call = LLVMIsACallInst(user) || LLVMIsAInvokeInst(user);
    if (!call || LLVMGetCalledValue(user) != f) return true;
    for (unsigned k = 0; k < LLVMGetNumArgOperands(user); k++)
      if (LLVMGetOperand(user, k) == f) return true;
  }
  return false;
}

static bool may_be_called(const struct insert *in, LLVMValueRef f) {
  LLVMLinkage linkage = LLVMGetLinkage(f);
  return (in->hooks->strangers && linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage) || has_pointers_to(f);
}

static bool is_end_of_jump(LLVMValueRef end) {
  LLVMValueRef before = LLVMGetPreviousInstruction(end);
  return before && LLVMIsACallInst(before) && LLVMGetTailCallKind(before) == LLVMTailCallKindMustTail;
}

void outside_enter(struct insert *in, LLVMValueRef f, LLVMValueRef first) {
  if (!in->hooks->entered || !may_be_called(in, f)) return;
  static const char name[] = "llvm.returnaddress";
  LLVMValueRef address = LLVMGetIntrinsicDeclaration(in->module, LLVMLookupIntrinsicID(name, sizeof name - 1), NULL, 0);
  LLVMTypeRef type = LLVMGlobalGetValueType(address);
  LLVMValueRef level = LLVMConstInt(in->order, 0, false), module = add_local(in, f, in->order);
  insert_before(in, f, first);
  LLVMValueRef caller = LLVMBuildPtrToInt(in->builder, LLVMBuildCall2(in->builder, type, address, &level, 1, ""), in->integer, "");
  LLVMValueRef arguments[] = {caller, module};
  insert_call(in, in->hooks->entered, in->nothing, arguments, 2);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!end || !LLVMIsAReturnInst(end) || is_end_of_jump(end)) continue;
    insert_before(in, f, end);
    insert_call(in, in->hooks->left, in->nothing, &module, 1);
  }
}
