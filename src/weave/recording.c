#include "weave/recording.h"

#include <string.h>

#include "trace/encoding.h"
#include "weave/assembler.h"
#include "weave/decided.h"
#include "weave/insert.h"
#include "weave/outside.h"
#include "weave/settled.h"
#include "weave/sites.h"
#include "weave/values.h"
#include "weave/vptr.h"
#include "weave/watched.h"

_Static_assert((int)SITES_BYTES_MOST == (int)TRACE_RAW_MOST, "a block of names");
size_t sites_put_number(unsigned char bytes[16], uint64_t n) { return (size_t)(trace_put_number(bytes, n) - bytes); }

struct recording {
  struct insert in;
  struct locals locals;
  struct sites *sites;
  struct outside outside;
  unsigned tbaa, nosanitize; /* kinds of metadata */
  LLVMValueRef f;
};

/* What comes next is inserted before `at`; the place is that of `i`. */
static LLVMValueRef begin(struct recording *r, LLVMValueRef i, LLVMValueRef at) {
  insert_before(&r->in, r->f, at);
  LLVMValueRef first = LLVMBuildLoad2(r->in.builder, r->in.order, sites_first(r->sites), "");
  return LLVMBuildAdd(r->in.builder, first, LLVMConstInt(r->in.order, sites_number(r->sites, i), false), "");
}

static LLVMValueRef behind(LLVMValueRef i) { return LLVMGetNextInstruction(i); }

static void call(struct recording *r, const char *name, LLVMValueRef *arguments, unsigned n) {
  insert_call(&r->in, name, r->in.nothing, arguments, n);
}

/* Places have numbers as they come, which are the same when a witness is carried out and nobody asks for branches. */
static bool says_nothing_new(struct recording *r, LLVMValueRef i, LLVMValueRef value) {
  (void)sites_number(r->sites, i);
  return !r->in.hooks->branch || decided(&r->locals, i, value, r->in.hooks);
}

/* Something depends on that value: a direction, a target, an address. */
static void depends(struct recording *r, LLVMValueRef i, LLVMValueRef value) {
  if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMMetadataTypeKind || settled(&r->locals, value)) return;
  if (says_nothing_new(r, i, value)) return;
  LLVMValueRef place = begin(r, i, i), arguments[] = {values_number(&r->in, value), place};
  call(r, r->in.hooks->branch, arguments, 2);
}

static bool is_watched(struct recording *r, LLVMValueRef address, bool writes) {
  return watched_address(&r->locals, r->tbaa, address, writes);
}

/* What is stored in the local, if that is done once, and nothing but loads is done with it besides; or NULL. */
static LLVMValueRef stored_once(LLVMValueRef local) {
  LLVMValueRef value = NULL;
  if (!LLVMIsAAllocaInst(local)) return NULL;
  for (LLVMUseRef u = LLVMGetFirstUse(local); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMIsALoadInst(user) || LLVMIsAIntrinsicInst(user)) continue;
    if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 1) != local || value) return NULL;
    value = LLVMGetOperand(user, 0);
  }
  return value;
}

/* What has become of an atomic load of a pointer's size. */
static bool is_atomic_load(struct recording *r, LLVMValueRef i) {
  size_t length, prefix = strlen(r->in.hooks->atomic);
  LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
  const char *name = callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
  return strncmp(name, r->in.hooks->atomic, prefix) == 0 && strcmp(name + prefix, "64_load") == 0;
}

/* The recorded read that the pointer comes from, as it was read; or NULL. */
static LLVMValueRef read_of(struct recording *r, LLVMValueRef pointer) {
  enum { LOCALS_MOST = 4 };
  for (unsigned n = 0; pointer && n < LOCALS_MOST; n++) {
    if (LLVMIsAIntToPtrInst(pointer)) pointer = LLVMGetOperand(pointer, 0);
    if (is_atomic_load(r, pointer)) return pointer;
    if (!LLVMIsALoadInst(pointer)) return NULL;
    LLVMValueRef from = LLVMGetOperand(pointer, 0);
    if (is_watched(r, from, false)) return LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMPointerTypeKind ? pointer : NULL;
    pointer = local_is_private(&r->locals, from) ? stored_once(from) : NULL;
  }
  return NULL;
}

/* An access is at that address. If fields and elements of a pointer are all that was added to it since it was read, that is told, too. */
static void uses(struct recording *r, LLVMValueRef i, LLVMValueRef address) {
  LLVMValueRef pointer = address;
  while (LLVMIsAGetElementPtrInst(pointer)) pointer = LLVMGetOperand(pointer, 0);
  LLVMValueRef read = read_of(r, pointer);
  if (!read) {
    depends(r, i, address);
    return;
  }
  bool old = says_nothing_new(r, i, address);
  (void)sites_number(r->sites, read);
  if (old) return;
  LLVMValueRef place = begin(r, i, i), from = begin(r, read, i);
  LLVMValueRef arguments[] = {values_number(&r->in, pointer), values_number(&r->in, address), from, place};
  call(r, r->in.hooks->use, arguments, 4);
}

static void leaves(struct recording *r, LLVMValueRef i, LLVMValueRef at) {
  LLVMValueRef place = begin(r, i, at);
  call(r, r->in.hooks->leaves, &place, 1);
}

/* --- memory --- */

/* An access of that value, or vector, is told before or behind it. */
static LLVMValueRef told_at(struct recording *r, LLVMValueRef i, bool writes) { return writes || r->in.hooks->access_done ? i : behind(i); }
static LLVMValueRef told_value(struct recording *r, LLVMValueRef value, bool writes) {
  return !writes && r->in.hooks->access_done ? LLVMConstNull(LLVMTypeOf(value)) : value;
}
static void told(struct recording *r, LLVMValueRef i) {
  if (!r->in.hooks->access_done) return;
  insert_before(&r->in, r->f, behind(i));
  call(r, r->in.hooks->access_done, NULL, 0);
}

static void weave_access(struct recording *r, LLVMValueRef i, bool writes) {
  LLVMValueRef address = LLVMGetOperand(i, writes ? 1 : 0), value = writes ? LLVMGetOperand(i, 0) : i;
  if (!is_watched(r, address, writes)) return;
  uses(r, i, address);
  LLVMValueRef place = begin(r, i, told_at(r, i, writes));
  values_insert(&r->in, address, told_value(r, value, writes), writes, NULL, place);
  told(r, i);
}

static void range(struct recording *r, LLVMValueRef i, LLVMValueRef at, LLVMValueRef address, LLVMValueRef size, bool writes) {
  leaves(r, i, at);
  LLVMValueRef arguments[] = {address, LLVMBuildZExtOrBitCast(r->in.builder, size, r->in.integer, "")};
  call(r, writes ? r->in.hooks->range_write : r->in.hooks->range_read, arguments, 2);
}

/* What was read is where it was copied to, and what was written to memory that all see, in that which is not watched. */
static void copied(struct recording *r, LLVMValueRef i, LLVMValueRef size, bool writes) {
  leaves(r, i, behind(i));
  LLVMValueRef to = LLVMGetOperand(i, 0), from = LLVMGetOperand(i, 1);
  LLVMValueRef arguments[] = {writes ? to : from, writes ? from : to, LLVMBuildZExtOrBitCast(r->in.builder, size, r->in.integer, "")};
  call(r, writes ? r->in.hooks->copied_write : r->in.hooks->copied_read, arguments, 3);
}

/* memcpy() and the like: what is read before, what is written behind. Long ones are calls of the runtime, which records both: where one is
 * a local whose other accesses are not recorded, nothing would explain what it holds. */
static void weave_block(struct recording *r, LLVMValueRef i) {
  LLVMValueRef to = LLVMGetOperand(i, 0), size = LLVMGetOperand(i, 2);
  bool copies = !LLVMIsAMemSetInst(i), writes = is_watched(r, to, true), reads = copies && is_watched(r, LLVMGetOperand(i, 1), false);
  if (!writes && !reads) return;
  depends(r, i, size), uses(r, i, to);
  if (copies) uses(r, i, LLVMGetOperand(i, 1));
  const char *instead = writes && (reads || !copies) ? insert_block_name(&r->in, i) : NULL;
  if (instead) {
    leaves(r, i, i);
    insert_block(&r->in, i, instead);
    return;
  }
  if (reads && r->in.hooks->copied_read)
    copied(r, i, size, false);
  else if (reads)
    range(r, i, i, LLVMGetOperand(i, 1), size, false);
  if (writes && copies && !reads && r->in.hooks->copied_write)
    copied(r, i, size, true);
  else if (writes)
    range(r, i, behind(i), to, size, true);
}

/* What va_start() and va_copy() write: a list of arguments, and with the former the registers that the function came with, which it has
 * saved on its stack. (Arguments that came there are written by no instruction that anybody sees.) As the ABI of x86-64 has them. */
static void weave_arguments(struct recording *r, LLVMValueRef i, bool starts) {
  enum { LIST = 24, REGISTERS_AT = 16, REGISTERS = 176 };
  LLVMValueRef list = LLVMGetOperand(i, 0), size = LLVMConstInt(r->in.integer, LIST, false);
  if (!starts && is_watched(r, LLVMGetOperand(i, 1), false)) range(r, i, i, LLVMGetOperand(i, 1), size, false);
  if (!is_watched(r, list, true)) return;
  range(r, i, behind(i), list, size, true);
  if (!starts) return;
  LLVMValueRef offset = LLVMConstInt(r->in.integer, REGISTERS_AT, false);
  LLVMValueRef field = LLVMBuildGEP2(r->in.builder, LLVMInt8TypeInContext(r->in.context), list, &offset, 1, "");
  LLVMValueRef arguments[] = {LLVMBuildLoad2(r->in.builder, r->in.pointer, field, ""), LLVMConstInt(r->in.integer, REGISTERS, false)};
  call(r, r->in.hooks->range_write, arguments, 2);
}

static bool calls_intrinsic(LLVMValueRef i, const char *prefix) {
  size_t length;
  return strncmp(LLVMGetValueName2(LLVMGetCalledValue(i), &length), prefix, strlen(prefix)) == 0;
}

static bool is_atomic(LLVMValueRef i) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  if (op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg || op == LLVMFence) return true;
  return LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic && !LLVMIsAtomicSingleThread(i);
}

/* An update that the runtime has no function for (of the maximum, say) is done as it is, while nobody else can change the object. */
static void weave_update(struct recording *r, LLVMValueRef i, LLVMValueRef address) {
  LLVMTypeRef type = LLVMTypeOf(i);
  LLVMValueRef size = LLVMConstInt(r->in.integer, LLVMStoreSizeOfType(r->in.data, type), false);
  LLVMValueRef begins[] = {address, size, begin(r, i, i)};
  call(r, r->in.hooks->update_begins, begins, 3);
  LLVMValueRef place = begin(r, i, behind(i)), ends[] = {address, size, values_number(&r->in, i), place};
  call(r, r->in.hooks->update_ends, ends, 4);
}

static void weave_atomic(struct recording *r, LLVMValueRef i) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  LLVMValueRef address = op == LLVMFence ? NULL : LLVMGetOperand(i, op == LLVMStore ? 1 : 0);
  if (address && local_is_private(&r->locals, address)) return;
  if (address) uses(r, i, address);
  if (op == LLVMAtomicRMW && !insert_has_update(LLVMGetAtomicRMWBinOp(i))) {
    weave_update(r, i, address);
    return;
  }
  leaves(r, i, i);
  insert_atomic(&r->in, i);
}

/* Vectors of which some elements are loaded or stored, side by side or anywhere. */
static void weave_masked(struct recording *r, LLVMValueRef i, const struct insert_masked_kind *kind) {
  LLVMValueRef vector = kind->writes ? LLVMGetOperand(i, 0) : told_value(r, i, false), address = LLVMGetOperand(i, kind->address);
  LLVMValueRef mask = LLVMGetOperand(i, kind->mask);
  LLVMTypeRef type = LLVMTypeOf(vector);
  bool scattered = LLVMGetTypeKind(LLVMTypeOf(address)) == LLVMVectorTypeKind;
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || (!scattered && !is_watched(r, address, kind->writes))) return;
  uint64_t size = LLVMABISizeOfType(r->in.data, LLVMGetElementType(type));
  depends(r, i, address);
  depends(r, i, mask);
  LLVMValueRef place = begin(r, i, told_at(r, i, kind->writes));
  for (unsigned k = 0; k < LLVMGetVectorSize(type); k++) {
    LLVMBuilderRef b = r->in.builder;
    LLVMValueRef at = LLVMConstInt(r->in.integer, k, false), offset = LLVMConstInt(r->in.integer, k * size, false);
    LLVMValueRef p = scattered ? LLVMBuildExtractElement(b, address, at, "")
                               : LLVMBuildGEP2(b, LLVMInt8TypeInContext(r->in.context), address, &offset, 1, "");
    values_insert(&r->in, p, LLVMBuildExtractElement(b, vector, at, ""), kind->writes, LLVMBuildExtractElement(b, mask, at, ""), place);
  }
  told(r, i);
}

/* --- inline assembler --- */

static void assembler_operand(struct recording *r, const char *hook, LLVMValueRef i, LLVMValueRef at, const struct assembler_operand *o,
                              unsigned how) {
  how |= (o->reads ? WEAVE_READS : 0u) | (o->writes ? WEAVE_WRITES : 0u);
  LLVMValueRef arguments[] = {o->address, LLVMConstInt(r->in.integer, o->size, false), LLVMConstInt(r->in.order, how, false), NULL};
  arguments[3] = begin(r, i, at);
  call(r, hook, arguments, 4);
}

static void assembler_block(struct recording *r, LLVMValueRef i, LLVMValueRef at, const struct assembler_operand *o, bool writes) {
  if (o->size && (writes ? o->writes : o->reads)) range(r, i, at, o->address, LLVMConstInt(r->in.integer, o->size, false), writes);
}

/* It goes on in several places, by what it is given, and is not recorded. */
static void weave_jump(struct recording *r, LLVMValueRef i) {
  struct assembler a;
  assembler_read(&a, r->in.data, i);
  if (a.n > 0 || a.fence) sites_unseen(r->sites, i);
  for (unsigned k = 0; k < LLVMGetNumArgOperands(i); k++) depends(r, i, LLVMGetOperand(i, k));
}

/* What is an update, nobody else may do meanwhile. */
static void weave_assembler(struct recording *r, LLVMValueRef i) {
  struct assembler a;
  LLVMValueRef next = behind(i);
  assembler_read(&a, r->in.data, i);
  if (a.unseen) sites_unseen(r->sites, i);
  unsigned n = 0, atomics = 0;
  for (unsigned k = 0; k < a.n; k++) {
    if (!is_watched(r, a.operands[k].address, a.operands[k].writes)) continue;
    atomics += a.operands[k].atomic;
    a.operands[n++] = a.operands[k];
  }
  unsigned how = (a.waits ? WEAVE_WAITS : 0u) | (atomics > 1 ? WEAVE_SEVERAL : 0u);
  for (unsigned k = 0; k < n; k++) uses(r, i, a.operands[k].address);
  for (unsigned k = 0; k < n; k++)
    if (!a.operands[k].atomic) assembler_block(r, i, i, &a.operands[k], false);
  for (unsigned k = 0; k < n; k++)
    if (a.operands[k].atomic) assembler_operand(r, r->in.hooks->assembler_begins, i, i, &a.operands[k], how);
  for (unsigned k = 0; k < n; k++)
    if (a.operands[k].atomic) assembler_operand(r, r->in.hooks->assembler_ends, i, next, &a.operands[k], how);
  for (unsigned k = 0; k < n; k++)
    if (!a.operands[k].atomic) assembler_block(r, i, next, &a.operands[k], true);
  if (!a.fence) return;
  leaves(r, i, next);
  insert_fence(&r->in);
}

/* --- calls and branches --- */

/* Structures that are arguments by value: the compiler copies them to the stack. */
static void weave_copied_arguments(struct recording *r, LLVMValueRef i) {
  unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
  for (unsigned k = 0; k < LLVMGetNumArgOperands(i); k++) {
    LLVMAttributeRef byval = LLVMGetCallSiteEnumAttribute(i, k + 1, kind);
    if (!byval || !is_watched(r, LLVMGetOperand(i, k), false)) continue;
    uint64_t size = LLVMABISizeOfType(r->in.data, LLVMGetTypeAttributeValue(byval));
    range(r, i, i, LLVMGetOperand(i, k), LLVMConstInt(r->in.integer, size, false), false);
  }
}

/* And here they have come. */
static void weave_parameters(struct recording *r, LLVMValueRef first) {
  unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
  for (unsigned k = 0; k < LLVMCountParams(r->f); k++) {
    LLVMAttributeRef byval = LLVMGetEnumAttributeAtIndex(r->f, k + 1, kind);
    if (!byval) continue;
    uint64_t size = LLVMABISizeOfType(r->in.data, LLVMGetTypeAttributeValue(byval));
    range(r, first, first, LLVMGetParam(r->f, k), LLVMConstInt(r->in.integer, size, false), true);
  }
}

/* A function that only tells of what the program does: native.c's call_hooks, and HD_EVENT(). */
static bool only_tells(LLVMValueRef callee) {
  static const char *const names[] = {"__heddle_recorder_", "hd_event"};
  size_t length;
  const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
  return strncmp(name, names[0], strlen(names[0])) == 0 || strcmp(name, names[1]) == 0;
}

static bool is_hook(LLVMValueRef callee) {
  size_t length;
  return LLVMIsAFunction(callee) && strncmp(LLVMGetValueName2(callee, &length), "__heddle_record_", 16) == 0;
}

/* The runtime tells by where a call returns to whether it is the program's: a jump to a function instead would return to the caller's
 * caller, which may be a library. */
static void stays_caller(LLVMValueRef i) {
  if (LLVMIsACallInst(i) && LLVMGetTailCallKind(i) != LLVMTailCallKindMustTail) LLVMSetTailCallKind(i, LLVMTailCallKindNoTail);
}

/* Comparisons of a few bytes are no calls any more once the machine's code is made, unless that is forbidden, and nothing is recorded of
 * what they read. */
static void stays_call(LLVMValueRef i, LLVMValueRef callee) {
  size_t length;
  const char *name = LLVMGetValueName2(callee, &length);
  if (strcmp(name, "memcmp") != 0 && strcmp(name, "bcmp") != 0) return;
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(i));
  LLVMAttributeRef nobuiltin = LLVMCreateEnumAttribute(context, LLVMGetEnumAttributeKindForName("nobuiltin", 9), 0);
  LLVMAddCallSiteAttribute(i, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, nobuiltin);
}

/* Functions that use what their first argument points to, whatever else they do. */
static bool uses_first(LLVMValueRef callee) {
  static const char *const prefixes[] = {"pthread_mutex_", "pthread_rwlock_", "pthread_spin_", "pthread_cond_", "pthread_barrier_", "sem_"};
  size_t length;
  const char *name = LLVMGetValueName2(callee, &length);
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) return true;
  return false;
}

/* What a function of the C library does may depend on each argument; what one of the program does is woven itself. */
static void weave_call(struct recording *r, LLVMValueRef i) {
  LLVMValueRef callee = LLVMGetCalledValue(i);
  if (LLVMIsAIntrinsicInst(i)) {
    const struct insert_masked_kind *kind = insert_masked_kind(i);
    if (LLVMIsAMemIntrinsic(i))
      weave_block(r, i); /* which may take it out */
    else if (kind)
      weave_masked(r, i, kind);
    else if (calls_intrinsic(i, "llvm.va_start") || calls_intrinsic(i, "llvm.va_copy"))
      weave_arguments(r, i, calls_intrinsic(i, "llvm.va_start"));
    return;
  }
  if (is_hook(callee)) return;
  weave_copied_arguments(r, i);
  if (only_tells(callee)) {
    leaves(r, i, i);
    return;
  }
  bool known = LLVMIsAFunction(callee) && insert_is_woven(callee);
  if (LLVMIsAInlineAsm(callee) && LLVMIsACallInst(i)) weave_assembler(r, i);
  if (known || LLVMIsAInlineAsm(callee)) return;
  if (!LLVMIsAFunction(callee)) depends(r, i, callee);
  if (LLVMIsAFunction(callee) && LLVMGetNumArgOperands(i) > 0 && uses_first(callee)) uses(r, i, LLVMGetOperand(i, 0));
  for (unsigned k = 0; k < LLVMGetNumArgOperands(i) && LLVMIsAFunction(callee); k++) depends(r, i, LLVMGetOperand(i, k));
  leaves(r, i, i);
  if (LLVMIsAFunction(callee)) stays_caller(i), stays_call(i, callee);
  outside_weave(&r->outside, &r->in, r->f, i);
}

/* Behind a landing pad, or a call that may return again: then its result is not 0. */
static void resumes(struct recording *r, LLVMValueRef i) {
  bool number = LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(LLVMTypeOf(i)) == 32;
  LLVMValueRef place = begin(r, i, behind(i)), arguments[] = {number ? i : LLVMConstInt(LLVMTypeOf(place), 1, false), place};
  call(r, r->in.hooks->resumes, arguments, 2);
}

static bool returns_twice(LLVMValueRef i) {
  unsigned kind = LLVMGetEnumAttributeKindForName("returns_twice", 13);
  LLVMAttributeIndex all = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  LLVMValueRef callee = LLVMGetCalledValue(i);
  return LLVMIsACallInst(i) &&
         (LLVMGetCallSiteEnumAttribute(i, all, kind) || (LLVMIsAFunction(callee) && LLVMGetEnumAttributeAtIndex(callee, all, kind)));
}

static void weave_instruction(struct recording *r, LLVMValueRef i) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  switch ((int)op) {
    case LLVMLoad:
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
      if (LLVMGetMetadata(i, r->nosanitize)) break;
      if (is_atomic(i))
        weave_atomic(r, i);
      else
        weave_access(r, i, op == LLVMStore);
      break;
    case LLVMCall:
    case LLVMInvoke:
      if (returns_twice(i)) resumes(r, i);
      weave_call(r, i);
      break;
    case LLVMLandingPad:
      resumes(r, i);
      break;
    case LLVMCallBr:
      weave_jump(r, i);
      break;
    case LLVMBr:
      if (LLVMIsConditional(i)) depends(r, i, LLVMGetCondition(i));
      break;
    case LLVMSwitch:
    case LLVMIndirectBr:
      depends(r, i, LLVMGetOperand(i, 0));
      break;
    default:
      break;
  }
}

/* --- functions --- */

static void weave_function(struct recording *r, LLVMValueRef f) {
  r->f = f;
  outside_mark(&r->in, f);
  LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
  while (LLVMIsAAllocaInst(first) || LLVMIsADbgInfoIntrinsic(first)) first = LLVMGetNextInstruction(first);
  outside_enter(&r->in, f, first);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      if (i == first) weave_parameters(r, first);
      weave_instruction(r, i);
    }
}

void recording_weave(LLVMModuleRef module, const struct weave_hooks *hooks) {
  LLVMContextRef c = LLVMGetModuleContext(module);
  struct recording r = {.tbaa = LLVMGetMDKindIDInContext(c, "tbaa", 4), .nosanitize = LLVMGetMDKindIDInContext(c, "nosanitize", 10)};
  insert_begin(&r.in, module, hooks);
  locals_begin(&r.locals, module, true);
  r.sites = sites_new(module);
  LLVMValueRef last = LLVMGetLastFunction(module);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = f == last ? NULL : LLVMGetNextFunction(f))
    if (insert_is_woven(f)) weave_function(&r, f);
  sites_end(r.sites, hooks->sites);
  insert_end(&r.in);
  locals_release(&r.locals);
}
