#include "program/lower/analysis/undefined.h"

#include <llvm-c/Target.h>
#include <stdbool.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "program/lower/link.h"

#define MARK       "heddle.undefined"
#define BYTES_MOST 256 /* of a local that is filled: larger ones are not promoted in practice */

/* --- which locals --- */

static bool is_intrinsic(LLVMValueRef v, const char *prefix) {
  if (LLVMGetInstructionOpcode(v) != LLVMCall) return false;
  LLVMValueRef callee = LLVMGetCalledValue(v);
  if (LLVMGetValueKind(callee) != LLVMFunctionValueKind) return false;
  size_t n;
  return strncmp(LLVMGetValueName2(callee, &n), prefix, strlen(prefix)) == 0;
}

static bool is_lifetime_start(LLVMValueRef v) { return is_intrinsic(v, "llvm.lifetime.start"); }

static bool has_constant_indices(LLVMValueRef gep) {
  for (int i = 1; i < LLVMGetNumOperands(gep); i++)
    if (LLVMGetValueKind(LLVMGetOperand(gep, (unsigned)i)) != LLVMConstantIntValueKind) return false;
  return true;
}

/* Is the memory behind `v` only read and written as a whole or by fixed parts? Then it becomes registers. Says whether lifetimes are
 * marked. */
static bool is_promoted(LLVMValueRef v, bool *lifetimes) {
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMGetValueKind(user) != LLVMInstructionValueKind) return false;
    switch ((int)LLVMGetInstructionOpcode(user)) {
      case LLVMLoad:
        if (LLVMGetVolatile(user) || LLVMGetOrdering(user) != LLVMAtomicOrderingNotAtomic) return false;
        break;
      case LLVMStore:
        if (LLVMGetOperand(user, 0) == v || LLVMGetVolatile(user) || LLVMGetOrdering(user) != LLVMAtomicOrderingNotAtomic) return false;
        break;
      case LLVMGetElementPtr:
        if (!has_constant_indices(user) || !is_promoted(user, lifetimes)) return false;
        break;
      case LLVMBitCast:
        if (!is_promoted(user, lifetimes)) return false;
        break;
      case LLVMCall:
        *lifetimes |= is_lifetime_start(user);
        if (!is_intrinsic(user, "llvm.lifetime.") && !is_intrinsic(user, "llvm.memcpy.") && !is_intrinsic(user, "llvm.memset."))
          return false;
        break;
      default:
        return false;
    }
  }
  return true;
}

/* Bytes that the instruction writes to `local`, from its beginning; 0: it does something else. */
static uint64_t written(LLVMTargetDataRef layout, LLVMValueRef insn, LLVMValueRef local) {
  if (LLVMGetInstructionOpcode(insn) == LLVMStore)
    return LLVMGetOperand(insn, 1) == local ? LLVMStoreSizeOfType(layout, LLVMTypeOf(LLVMGetOperand(insn, 0))) : 0;
  if (!is_intrinsic(insn, "llvm.memcpy.") && !is_intrinsic(insn, "llvm.memset.")) return 0;
  LLVMValueRef length = LLVMGetOperand(insn, 2);
  bool known = LLVMGetOperand(insn, 0) == local && LLVMGetValueKind(length) == LLVMConstantIntValueKind;
  return known ? LLVMConstIntGetZExtValue(length) : 0;
}

static bool uses(LLVMValueRef insn, LLVMValueRef local) {
  for (int i = 0; i < LLVMGetNumOperands(insn); i++)
    if (LLVMGetOperand(insn, (unsigned)i) == local) return true;
  return false;
}

/* Is all of it written first of all, as parameters and initialised variables are? */
static bool is_written_first(LLVMTargetDataRef layout, LLVMValueRef local, uint64_t size) {
  for (LLVMValueRef v = LLVMGetNextInstruction(local); v; v = LLVMGetNextInstruction(v))
    if (uses(v, local)) return written(layout, v, local) >= size;
  return false;
}

/* --- marking --- */

/* What stands first in the function and is stored or spread into locals: found again by its name. LLVM does not look behind `freeze`. */
static LLVMValueRef mark(LLVMBuilderRef b, LLVMBasicBlockRef entry, LLVMTypeRef type) {
  LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(entry));
  LLVMSetCurrentDebugLocation2(b, NULL);
  return LLVMBuildFreeze(b, LLVMGetUndef(type), MARK);
}

struct filling {
  LLVMBuilderRef b;
  LLVMValueRef pointer, value;
  uint64_t bytes; /* of an aggregate, which is filled with the byte `value`; 0: `value` is stored */
};

static void fill(const struct filling *f, LLVMValueRef behind) {
  LLVMPositionBuilderBefore(f->b, LLVMGetNextInstruction(behind));
  LLVMSetCurrentDebugLocation2(f->b, NULL);
  if (f->bytes)
    LLVMBuildMemSet(f->b, f->pointer, f->value, LLVMConstInt(LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(f->value))), f->bytes, 0),
                    1);
  else
    LLVMBuildStore(f->b, f->value, f->pointer);
}

/* Wherever its lifetime begins. */
static void fill_lifetimes(const struct filling *f, LLVMValueRef v) {
  for (LLVMUseRef u = LLVMGetFirstUse(v), next; u; u = next) {
    LLVMValueRef user = LLVMGetUser(u);
    next = LLVMGetNextUse(u);
    if (LLVMGetInstructionOpcode(user) == LLVMBitCast) fill_lifetimes(f, user);
    if (is_lifetime_start(user)) fill(f, user);
  }
}

/* Promoting a local of such a type, or with such a member, would be prevented by filling it by the byte. */
static bool is_odd(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  bool odd = kind == LLVMX86_FP80TypeKind || kind == LLVMFP128TypeKind || (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) > 64);
  if (kind == LLVMArrayTypeKind) return is_odd(LLVMGetElementType(type));
  for (unsigned i = 0; kind == LLVMStructTypeKind && !odd && i < LLVMCountStructElementTypes(type); i++)
    odd = is_odd(LLVMStructGetTypeAtIndex(type, i));
  return odd;
}

static bool is_aggregate(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMArrayTypeKind || kind == LLVMStructTypeKind;
}

static void mark_local(LLVMTargetDataRef layout, LLVMBuilderRef b, LLVMValueRef local, LLVMValueRef *byte) {
  LLVMTypeRef type = LLVMGetAllocatedType(local);
  LLVMValueRef count = LLVMGetOperand(local, 0);
  LLVMBasicBlockRef entry = LLVMGetInstructionParent(local);
  bool lifetimes = false, one = LLVMGetValueKind(count) == LLVMConstantIntValueKind && LLVMConstIntGetZExtValue(count) == 1;
  if (!one || !LLVMTypeIsSized(type)) return;
  uint64_t size = LLVMABISizeOfType(layout, type);
  bool aggregate = is_aggregate(type);
  if (size == 0 || size > BYTES_MOST || (aggregate && is_odd(type)) || !is_promoted(local, &lifetimes)) return;
  if (!lifetimes && is_written_first(layout, local, LLVMStoreSizeOfType(layout, type))) return;
  if (aggregate && !*byte) *byte = mark(b, entry, LLVMInt8TypeInContext(LLVMGetTypeContext(type)));
  struct filling f = {.b = b, .pointer = local, .value = aggregate ? *byte : mark(b, entry, type), .bytes = aggregate ? size : 0};
  if (lifetimes)
    fill_lifetimes(&f, local);
  else
    fill(&f, local);
}

static void mark_function(LLVMTargetDataRef layout, LLVMBuilderRef b, LLVMValueRef function) {
  LLVMValueRef byte = NULL;
  for (LLVMValueRef v = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)); v; v = LLVMGetNextInstruction(v))
    if (LLVMGetInstructionOpcode(v) == LLVMAlloca) mark_local(layout, b, v, &byte);
}

void undefined_mark(LLVMModuleRef module) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && !link_is_model(f)) mark_function(LLVMGetModuleDataLayout(module), b, f);
  LLVMDisposeBuilder(b);
}

/* --- what has become of it --- */

typedef VEC(LLVMValueRef) values_t;

/* 0x01 repeated: a promoted local of several bytes gets its value by multiplying the byte with it. */
static bool repeats_bytes(LLVMValueRef v) {
  if (LLVMGetValueKind(v) != LLVMConstantIntValueKind) return false;
  unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(v));
  return bits <= 64 && bits % 8 == 0 && LLVMConstIntGetZExtValue(v) == (0x0101010101010101u & UINT64_MAX >> (64 - bits));
}

/* Adds the users of `v`, all of whose bits are undefined, that are undefined as a whole. */
static void follow_users(LLVMValueRef v, values_t *undefined, values_t *dead) {
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMGetValueKind(user) != LLVMInstructionValueKind) continue;
    switch ((int)LLVMGetInstructionOpcode(user)) {
      case LLVMTrunc:
      case LLVMBitCast:
      case LLVMIntToPtr:
        *vec_push(undefined) = user;
        break;
      case LLVMZExt:
        for (LLVMUseRef w = LLVMGetFirstUse(user); w; w = LLVMGetNextUse(w)) {
          LLVMValueRef product = LLVMGetUser(w);
          if (LLVMGetInstructionOpcode(product) == LLVMMul && repeats_bytes(LLVMGetOperand(product, 1))) *vec_push(undefined) = product;
        }
        break;
      case LLVMCall: /* the local was not promoted: its memory is uninitialised anyway */
        if (is_intrinsic(user, "llvm.memset.") && LLVMGetOperand(user, 1) == v) *vec_push(dead) = user;
        break;
      default:
        break;
    }
  }
}

static bool is_mark(LLVMValueRef v) {
  size_t n;
  return LLVMGetInstructionOpcode(v) == LLVMFreeze && strncmp(LLVMGetValueName2(v, &n), MARK, sizeof MARK - 1) == 0;
}

static void settle_function(LLVMValueRef function) {
  values_t undefined = {0}, dead = {0};
  for (LLVMValueRef v = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)); v; v = LLVMGetNextInstruction(v))
    if (is_mark(v)) *vec_push(&undefined) = v;
  for (size_t i = 0; i < undefined.count; i++) follow_users(undefined.data[i], &undefined, &dead);
  for (size_t i = 0; i < dead.count; i++) LLVMInstructionEraseFromParent(dead.data[i]);
  for (size_t i = 0; i < undefined.count; i++) LLVMReplaceAllUsesWith(undefined.data[i], LLVMGetUndef(LLVMTypeOf(undefined.data[i])));
  for (size_t i = undefined.count; i-- > 0;) LLVMInstructionEraseFromParent(undefined.data[i]);
  vec_release(&undefined);
  vec_release(&dead);
}

void undefined_settle(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && !link_is_model(f)) settle_function(f);
}
