#include "weave/insert.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#include "weave/assembler.h"

enum { NAME = 80 };

void insert_begin(struct insert *in, LLVMModuleRef module, const struct weave_hooks *hooks) {
  LLVMContextRef c = LLVMGetModuleContext(module);
  *in = (struct insert){.module = module,
                        .context = c,
                        .builder = LLVMCreateBuilderInContext(c),
                        .data = LLVMGetModuleDataLayout(module),
                        .hooks = hooks,
                        .nothing = LLVMVoidTypeInContext(c),
                        .pointer = LLVMPointerTypeInContext(c, 0),
                        .integer = LLVMInt64TypeInContext(c),
                        .order = LLVMInt32TypeInContext(c)};
}
void insert_end(struct insert *in) { LLVMDisposeBuilder(in->builder); }

/* In a function with debug information all calls that may be inlined must have a place. */
void insert_before(struct insert *in, LLVMValueRef f, LLVMValueRef at) {
  LLVMPositionBuilderBefore(in->builder, at);
  LLVMMetadataRef scope = LLVMGetSubprogram(f);
  if (scope && !LLVMInstructionGetDebugLoc(at))
    LLVMSetCurrentDebugLocation2(in->builder, LLVMDIBuilderCreateDebugLocation(in->context, 0, 0, scope, NULL));
}

void insert_before_as(struct insert *in, LLVMValueRef as, LLVMValueRef at) {
  insert_before(in, LLVMGetBasicBlockParent(LLVMGetInstructionParent(at)), at);
  LLVMMetadataRef place = LLVMInstructionGetDebugLoc(as);
  if (place) LLVMSetCurrentDebugLocation2(in->builder, place);
}

LLVMValueRef insert_call(struct insert *in, const char *name, LLVMTypeRef result, LLVMValueRef *arguments, unsigned n) {
  LLVMTypeRef types[8];
  for (unsigned i = 0; i < n; i++) types[i] = LLVMTypeOf(arguments[i]);
  LLVMTypeRef type = LLVMFunctionType(result, types, n, false);
  LLVMValueRef f = LLVMGetNamedFunction(in->module, name);
  if (!f) {
    f = LLVMAddFunction(in->module, name, type);
    LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(in->context, LLVMGetEnumAttributeKindForName("nounwind", 8), 0));
  }
  LLVMValueRef call = LLVMBuildCall2(in->builder, type, f, arguments, n, "");
  LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(f));
  return call;
}

static LLVMValueRef number(const struct insert *in, uint64_t n) { return LLVMConstInt(in->integer, n, false); }

/* SIZE: a power of two. */
static void insert_piece(struct insert *in, LLVMValueRef address, unsigned size, unsigned alignment, bool writes) {
  const struct weave_hooks *h = in->hooks;
  bool aligned = alignment >= 8 || alignment % size == 0;
  const char *prefix = aligned ? (writes ? h->write : h->read) : (writes ? h->unaligned_write : h->unaligned_read);
  if (aligned && in->looped && h->looped_read && size <= 8) prefix = writes ? h->looped_write : h->looped_read;
  char name[NAME];
  if (!prefix) return;
  snprintf(name, sizeof name, "%s%u", prefix, size);
  insert_call(in, name, in->nothing, &address, 1);
}

void insert_access(struct insert *in, LLVMValueRef address, uint64_t size, unsigned alignment, bool writes) {
  enum { LARGEST = 16, MOST = 64 };
  if (size > MOST) {
    insert_range(in, address, number(in, size), alignment, writes);
    return;
  }
  uint64_t at = 0;
  for (unsigned piece = LARGEST; piece > 0; piece /= 2)
    for (; size - at >= piece; at += piece) {
      LLVMValueRef offset = number(in, at);
      LLVMValueRef p = at ? LLVMBuildGEP2(in->builder, LLVMInt8TypeInContext(in->context), address, &offset, 1, "") : address;
      insert_piece(in, p, piece, at && (at & -at) < alignment ? (unsigned)(at & -at) : alignment, writes);
    }
}

void insert_range(struct insert *in, LLVMValueRef address, LLVMValueRef size, unsigned alignment, bool writes) {
  const char *name = writes ? in->hooks->range_write : in->hooks->range_read;
  if (LLVMIsAConstantInt(size) && LLVMConstIntGetZExtValue(size) <= INSERT_SHORT) {
    insert_access(in, address, LLVMConstIntGetZExtValue(size), alignment, writes);
    return;
  }
  LLVMValueRef arguments[] = {address, LLVMBuildZExtOrBitCast(in->builder, size, in->integer, "")};
  if (name) insert_call(in, name, in->nothing, arguments, 2);
}

/* Memory that nobody uses, in the function's frame. */
static LLVMValueRef unused_place(struct insert *in, LLVMValueRef f) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(in->context);
  LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
  LLVMValueRef place = LLVMBuildAlloca(b, LLVMIntTypeInContext(in->context, 128), "");
  LLVMDisposeBuilder(b);
  return place;
}

const struct insert_masked_kind *insert_masked_kind(LLVMValueRef call) {
  static const struct insert_masked_kind kinds[] = {
      {"llvm.masked.load.", 0, 1, 2, false},
      {"llvm.masked.gather.", 0, 1, 2, false},
      {"llvm.masked.store.", 1, 2, 3, true},
      {"llvm.masked.scatter.", 1, 2, 3, true},
  };
  size_t length;
  const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &length);
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (strncmp(name, kinds[k].name, strlen(kinds[k].name)) == 0) return &kinds[k];
  return NULL;
}

/* No branches: an element that is not accessed is one of that memory. */
void insert_masked(struct insert *in, LLVMValueRef f, LLVMTypeRef vector, LLVMValueRef address, LLVMValueRef mask, unsigned alignment,
                   bool writes) {
  LLVMTypeRef element = LLVMGetElementType(vector), byte = LLVMInt8TypeInContext(in->context);
  uint64_t size = LLVMStoreSizeOfType(in->data, element);
  LLVMValueRef unused = unused_place(in, f);
  for (unsigned i = 0; i < LLVMGetVectorSize(vector); i++) {
    LLVMValueRef number_of_it = number(in, i), offset = number(in, i * size), p;
    if (LLVMGetTypeKind(LLVMTypeOf(address)) == LLVMVectorTypeKind)
      p = LLVMBuildExtractElement(in->builder, address, number_of_it, "");
    else
      p = LLVMBuildGEP2(in->builder, byte, address, &offset, 1, "");
    LLVMValueRef touched = LLVMBuildExtractElement(in->builder, mask, number_of_it, "");
    insert_access(in, LLVMBuildSelect(in->builder, touched, p, unused, ""), size, alignment < size ? alignment : (unsigned)size, writes);
  }
}

void insert_run(struct insert *in, LLVMValueRef address, LLVMValueRef length, unsigned size, bool writes) {
  LLVMValueRef arguments[] = {address, length};
  char name[NAME];
  snprintf(name, sizeof name, "%s%u", writes ? in->hooks->run_write : in->hooks->run_read, size);
  insert_call(in, name, in->nothing, arguments, 2);
}

static void replace(LLVMValueRef i, LLVMValueRef by) {
  if (by) LLVMReplaceAllUsesWith(i, by);
  LLVMInstructionEraseFromParent(i);
}

const char *insert_block_name(const struct insert *in, LLVMValueRef i) {
  static const char inlined[] = ".inline";
  LLVMValueRef size = LLVMGetOperand(i, 2);
  size_t length;
  const char *name = LLVMGetValueName2(LLVMGetCalledValue(i), &length);
  if (strstr(name, inlined) || (LLVMIsAConstantInt(size) && LLVMConstIntGetZExtValue(size) <= INSERT_SHORT)) return NULL;
  return LLVMIsAMemSetInst(i) ? in->hooks->fill : LLVMIsAMemMoveInst(i) ? in->hooks->move : in->hooks->copy;
}

void insert_block(struct insert *in, LLVMValueRef i, const char *name) {
  bool fills = LLVMIsAMemSetInst(i);
  LLVMValueRef second = LLVMGetOperand(i, 1), size = LLVMBuildZExtOrBitCast(in->builder, LLVMGetOperand(i, 2), in->integer, "");
  if (fills) second = LLVMBuildZExt(in->builder, second, in->order, "");
  LLVMValueRef arguments[] = {LLVMGetOperand(i, 0), second, size};
  insert_call(in, name, in->pointer, arguments, 3);
  replace(i, NULL);
}

/* --- atomic operations --- */

/* As C numbers memory orders. */
static unsigned order_number(LLVMAtomicOrdering o) {
  switch (o) {
    case LLVMAtomicOrderingAcquire:
      return __ATOMIC_ACQUIRE;
    case LLVMAtomicOrderingRelease:
      return __ATOMIC_RELEASE;
    case LLVMAtomicOrderingAcquireRelease:
      return __ATOMIC_ACQ_REL;
    case LLVMAtomicOrderingSequentiallyConsistent:
      return __ATOMIC_SEQ_CST;
    case LLVMAtomicOrderingNotAtomic:
    case LLVMAtomicOrderingUnordered:
    case LLVMAtomicOrderingMonotonic:
      break;
  }
  return __ATOMIC_RELAXED;
}
static LLVMValueRef order_value(const struct insert *in, LLVMAtomicOrdering o) { return LLVMConstInt(in->order, order_number(o), false); }

static const char *update_name(LLVMAtomicRMWBinOp op) {
  static const char *const names[] = {
      [LLVMAtomicRMWBinOpXchg] = "_exchange", [LLVMAtomicRMWBinOpAdd] = "_fetch_add",   [LLVMAtomicRMWBinOpSub] = "_fetch_sub",
      [LLVMAtomicRMWBinOpAnd] = "_fetch_and", [LLVMAtomicRMWBinOpNand] = "_fetch_nand", [LLVMAtomicRMWBinOpOr] = "_fetch_or",
      [LLVMAtomicRMWBinOpXor] = "_fetch_xor",
  };
  return (size_t)op < sizeof names / sizeof *names ? names[op] : NULL;
}

bool insert_has_update(LLVMAtomicRMWBinOp op) { return update_name(op) != NULL; }

/* A value of the hook's integer type, and back: pointers, numbers with a fraction. */
static LLVMValueRef convert(struct insert *in, LLVMValueRef v, LLVMTypeRef to) {
  LLVMTypeKind from_kind = LLVMGetTypeKind(LLVMTypeOf(v)), to_kind = LLVMGetTypeKind(to);
  if (from_kind == LLVMPointerTypeKind && to_kind == LLVMIntegerTypeKind) return LLVMBuildPtrToInt(in->builder, v, to, "");
  if (from_kind == LLVMIntegerTypeKind && to_kind == LLVMPointerTypeKind) return LLVMBuildIntToPtr(in->builder, v, to, "");
  if (from_kind == LLVMIntegerTypeKind && to_kind == LLVMIntegerTypeKind) return LLVMBuildIntCast2(in->builder, v, to, false, "");
  return LLVMBuildBitCast(in->builder, v, to, "");
}

/* An update without a hook of its own is done as it is, between two that change nothing: the first hands on what came before it, the second
 * takes over what others have handed on until then. */
static bool update_between(struct insert *in, LLVMValueRef i, LLVMTypeRef type, unsigned bits) {
  LLVMValueRef arguments[] = {LLVMGetOperand(i, 0), LLVMConstInt(type, 0, false), order_value(in, LLVMGetOrdering(i))};
  char name[NAME];
  snprintf(name, sizeof name, "%s%u_fetch_add", in->hooks->atomic, bits);
  insert_call(in, name, type, arguments, 3);
  LLVMPositionBuilderBefore(in->builder, LLVMGetNextInstruction(i));
  insert_call(in, name, type, arguments, 3);
  return true;
}

void insert_operand(struct insert *in, LLVMValueRef i, const struct assembler_operand *o) {
  LLVMTypeRef type = LLVMIntTypeInContext(in->context, (unsigned)o->size * 8);
  LLVMValueRef order = LLVMConstInt(in->order, __ATOMIC_SEQ_CST, false);
  LLVMValueRef arguments[] = {o->address, o->writes ? LLVMConstInt(type, 0, false) : order, order};
  unsigned n = o->writes ? 3 : 2;
  char name[NAME];
  if (!in->hooks->atomic) return;
  snprintf(name, sizeof name, "%s%u%s", in->hooks->atomic, (unsigned)o->size * 8, o->writes ? "_fetch_add" : "_load");
  if (o->writes) insert_call(in, name, type, arguments, n);
  LLVMPositionBuilderBefore(in->builder, LLVMGetNextInstruction(i));
  insert_call(in, name, type, arguments, n);
}

void insert_fence(struct insert *in) {
  LLVMValueRef order = LLVMConstInt(in->order, __ATOMIC_SEQ_CST, false);
  if (in->hooks->thread_fence) insert_call(in, in->hooks->thread_fence, in->nothing, &order, 1);
}

static bool replace_fence(struct insert *in, LLVMValueRef i) {
  const char *name = LLVMIsAtomicSingleThread(i) ? in->hooks->signal_fence : in->hooks->thread_fence;
  LLVMValueRef order = order_value(in, LLVMGetOrdering(i));
  if (!name) return false;
  insert_call(in, name, in->nothing, &order, 1);
  replace(i, NULL);
  return true;
}

static void replace_exchange(struct insert *in, LLVMValueRef i, const char *name, LLVMTypeRef type) {
  LLVMValueRef expected = convert(in, LLVMGetOperand(i, 1), type), wanted = convert(in, LLVMGetOperand(i, 2), type);
  LLVMValueRef arguments[] = {LLVMGetOperand(i, 0), expected, wanted, order_value(in, LLVMGetCmpXchgSuccessOrdering(i)),
                              order_value(in, LLVMGetCmpXchgFailureOrdering(i))};
  LLVMValueRef was = insert_call(in, name, type, arguments, 5);
  LLVMValueRef same = LLVMBuildICmp(in->builder, LLVMIntEQ, was, expected, "");
  LLVMValueRef old = convert(in, was, LLVMTypeOf(LLVMGetOperand(i, 1)));
  LLVMValueRef pair = LLVMBuildInsertValue(in->builder, LLVMGetUndef(LLVMTypeOf(i)), old, 0, "");
  replace(i, LLVMBuildInsertValue(in->builder, pair, same, 1, ""));
}

bool insert_atomic(struct insert *in, LLVMValueRef i) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  if (op == LLVMFence) return replace_fence(in, i);
  LLVMTypeRef value = op == LLVMLoad ? LLVMTypeOf(i) : LLVMTypeOf(LLVMGetOperand(i, op == LLVMStore ? 0 : 1));
  LLVMValueRef address = LLVMGetOperand(i, op == LLVMStore ? 1 : 0);
  unsigned bits = (unsigned)LLVMStoreSizeOfType(in->data, value) * 8;
  if (!in->hooks->atomic || bits > 128 || (bits & (bits - 1)) != 0) return false;
  LLVMTypeRef type = LLVMIntTypeInContext(in->context, bits);
  const char *update = op == LLVMAtomicRMW ? update_name(LLVMGetAtomicRMWBinOp(i)) : NULL;
  if (op == LLVMAtomicRMW && !update) return update_between(in, i, type, bits);
  const char *what = op == LLVMLoad ? "_load" : op == LLVMStore ? "_store" : op == LLVMAtomicRMW ? update : "_compare_exchange_val";
  char name[NAME];
  snprintf(name, sizeof name, "%s%u%s", in->hooks->atomic, bits, what);
  if (op == LLVMAtomicCmpXchg) {
    replace_exchange(in, i, name, type);
    return true;
  }
  LLVMValueRef order = order_value(in, LLVMGetOrdering(i));
  if (op == LLVMLoad) {
    LLVMValueRef arguments[] = {address, order};
    replace(i, convert(in, insert_call(in, name, type, arguments, 2), value));
  } else {
    LLVMValueRef operand = convert(in, LLVMGetOperand(i, op == LLVMStore ? 0 : 1), type);
    LLVMValueRef arguments[] = {address, operand, order};
    LLVMValueRef was = insert_call(in, name, op == LLVMStore ? in->nothing : type, arguments, 3);
    replace(i, op == LLVMStore ? NULL : convert(in, was, value));
  }
  return true;
}

bool insert_is_woven(LLVMValueRef f) {
  const LLVMAttributeIndex all = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  static const char *const left_alone[] = {"naked", "disable_sanitizer_instrumentation"};
  if (LLVMIsDeclaration(f) || LLVMGetLinkage(f) == LLVMAvailableExternallyLinkage) return false;
  for (size_t i = 0; i < sizeof left_alone / sizeof *left_alone; i++)
    if (LLVMGetEnumAttributeAtIndex(f, all, LLVMGetEnumAttributeKindForName(left_alone[i], strlen(left_alone[i])))) return false;
  return true;
}
