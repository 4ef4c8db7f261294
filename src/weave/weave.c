#include "weave/weave.h"

#include <string.h>

#include "weave/assembler.h"
#include "weave/covered.h"
#include "weave/insert.h"
#include "weave/local.h"
#include "weave/loops.h"
#include "weave/recording.h"
#include "weave/runs.h"
#include "weave/vptr.h"
#include "weave/watched.h"

/* A function that is being woven. */
struct weaving {
  struct insert in;
  struct locals locals;
  struct covered covered;
  struct loops loops;
  struct weave_analyses *analyses;
  unsigned tbaa, nosanitize, run; /* kinds of metadata */
  LLVMValueRef f;
  bool accesses; /* plain ones are wanted, too */
  bool calls;    /* it calls others, or hooks */
};

static bool has_attribute(LLVMValueRef f, const char *name) {
  return LLVMGetEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                     LLVMGetEnumAttributeKindForName(name, strlen(name))) != NULL;
}

static bool is_watched(struct weaving *w, LLVMValueRef address, bool writes) {
  return watched_address(&w->locals, w->tbaa, address, writes);
}

/* --- accesses --- */

static void weave_vptr(struct weaving *w, LLVMValueRef i, LLVMValueRef address, bool writes) {
  const struct weave_hooks *h = w->in.hooks;
  LLVMValueRef arguments[] = {address, writes ? LLVMGetOperand(i, 0) : NULL};
  if (writes &&
      LLVMGetTypeKind(LLVMTypeOf(arguments[1])) == LLVMVectorTypeKind) /* two that lie side by side: the first one stands for both */
    arguments[1] = LLVMBuildExtractElement(w->in.builder, arguments[1], LLVMConstInt(w->in.order, 0, false), "");
  if (writes && LLVMGetTypeKind(LLVMTypeOf(arguments[1])) == LLVMIntegerTypeKind)
    arguments[1] = LLVMBuildIntToPtr(w->in.builder, arguments[1], w->in.pointer, "");
  const char *name = writes ? h->vptr_write : h->vptr_read;
  if (name) insert_call(&w->in, name, w->in.nothing, arguments, writes ? 2 : 1);
}

static void weave_access(struct weaving *w, LLVMValueRef i, bool writes) {
  LLVMValueRef address = LLVMGetOperand(i, writes ? 1 : 0);
  bool rewritten = !writes && covered_by_later(&w->covered, i);
  uint64_t size = LLVMStoreSizeOfType(w->in.data, writes ? LLVMTypeOf(LLVMGetOperand(i, 0)) : LLVMTypeOf(i));
  if (!is_watched(w, address, writes)) return;
  if (LLVMGetMetadata(i, w->run)) return;
  insert_before(&w->in, w->f, i);
  w->calls = true;
  if (vptr_is_accessed(i, w->tbaa)) { /* to write what is there already is no write, and covers nothing */
    weave_vptr(w, i, address, writes);
    return;
  }
  if (rewritten || covered_by_earlier(&w->covered, address, size, writes)) return;
  insert_access(&w->in, address, size, LLVMGetAlignment(i), writes);
}

static unsigned alignment_of(LLVMValueRef call, unsigned argument) {
  LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, argument + 1, LLVMGetEnumAttributeKindForName("align", 5));
  return a ? (unsigned)LLVMGetEnumAttributeValue(a) : 1;
}

static void weave_block(struct weaving *w, LLVMValueRef i) {
  bool copies = !LLVMIsAMemSetInst(i), watched[2] = {is_watched(w, LLVMGetOperand(i, 0), true)};
  const char *instead = insert_block_name(&w->in, i);
  watched[1] = copies && is_watched(w, LLVMGetOperand(i, 1), false);
  if (!watched[0] && !watched[1]) return;
  w->calls = true;
  insert_before(&w->in, w->f, i);
  if (instead) {
    insert_block(&w->in, i, instead);
    return;
  }
  for (unsigned k = 2; k-- > 0;)
    if (watched[k]) insert_range(&w->in, LLVMGetOperand(i, k), LLVMGetOperand(i, 2), alignment_of(i, k), k == 0);
}

/* Structures that are arguments by value: the compiler copies them to the stack. */
static void weave_arguments(struct weaving *w, LLVMValueRef call) {
  unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
    LLVMAttributeRef byval = LLVMGetCallSiteEnumAttribute(call, k + 1, kind);
    if (!byval || !is_watched(w, LLVMGetOperand(call, k), false)) continue;
    insert_before(&w->in, w->f, call);
    insert_access(&w->in, LLVMGetOperand(call, k), LLVMABISizeOfType(w->in.data, LLVMGetTypeAttributeValue(byval)), alignment_of(call, k),
                  false);
  }
}

static bool is_private_atomic(struct weaving *w, LLVMValueRef i) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  return op != LLVMFence && local_is_private(&w->locals, LLVMGetOperand(i, op == LLVMStore ? 1 : 0));
}

static bool is_atomic(LLVMValueRef i) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  if (op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg || op == LLVMFence) return true;
  return LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic && !LLVMIsAtomicSingleThread(i);
}

/* Vectors of which some elements are loaded or stored, side by side or anywhere. */
static void weave_masked(struct weaving *w, LLVMValueRef i) {
  const struct insert_masked_kind *kind = insert_masked_kind(i);
  if (!kind) return;
  LLVMValueRef address = LLVMGetOperand(i, kind->address);
  LLVMTypeRef vector = LLVMTypeOf(kind->writes ? LLVMGetOperand(i, 0) : i);
  bool scattered = LLVMGetTypeKind(LLVMTypeOf(address)) == LLVMVectorTypeKind;
  if (LLVMGetTypeKind(vector) != LLVMVectorTypeKind || (!scattered && !is_watched(w, address, kind->writes))) return;
  insert_before(&w->in, w->f, i);
  insert_masked(&w->in, w->f, vector, address, LLVMGetOperand(i, kind->mask),
                (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(i, kind->alignment)), kind->writes);
  w->calls = true;
}

/* Inline assembler is done as it is: a block of memory is a plain access, other operands are atomic. */
static void weave_assembler(struct weaving *w, LLVMValueRef i) {
  struct assembler a;
  assembler_read(&a, w->in.data, i);
  for (unsigned k = 0; k < a.n; k++) {
    const struct assembler_operand *o = &a.operands[k];
    if (o->size == 0 || !is_watched(w, o->address, o->writes)) continue;
    w->calls = true;
    insert_before(&w->in, w->f, i);
    if (o->atomic)
      insert_operand(&w->in, i, o);
    else if (w->accesses)
      insert_range(&w->in, o->address, LLVMConstInt(w->in.integer, o->size, false), 1, o->writes);
  }
  if (!a.fence) return;
  w->calls = true;
  insert_before(&w->in, w->f, LLVMGetNextInstruction(i));
  insert_fence(&w->in);
}

static void weave_call(struct weaving *w, LLVMValueRef i) {
  if (LLVMIsAMemIntrinsic(i)) {
    if (w->accesses) weave_block(w, i);
    return;
  }
  if (LLVMIsAIntrinsicInst(i)) {
    if (w->accesses) weave_masked(w, i);
    return;
  }
  if (LLVMIsAInlineAsm(LLVMGetCalledValue(i))) {
    if (LLVMIsACallInst(i)) weave_assembler(w, i);
    return;
  }
  if (w->accesses) weave_arguments(w, i);
  w->calls = true;
}

static void weave_memory(struct weaving *w, LLVMValueRef i) {
  if (!is_atomic(i)) {
    if (w->accesses) weave_access(w, i, LLVMGetInstructionOpcode(i) == LLVMStore);
    return;
  }
  if (is_private_atomic(w, i)) return;
  insert_before(&w->in, w->f, i);
  w->calls |= insert_atomic(&w->in, i);
}

static void weave_instruction(struct weaving *w, LLVMValueRef i) {
  if (covered_ends(i)) covered_forget(&w->covered);
  switch ((int)LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
      if (!LLVMGetMetadata(i, w->nosanitize)) weave_memory(w, i);
      break;
    case LLVMCall:
    case LLVMInvoke:
      weave_call(w, i);
      break;
    default:
      break;
  }
}

/* --- frames --- */

/* Behind the locals: what is inlined here later must not make them ones of unknown number. */
static LLVMValueRef first_instruction(LLVMValueRef f) {
  LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
  while (LLVMIsAAllocaInst(i) || LLVMIsADbgInfoIntrinsic(i)) i = LLVMGetNextInstruction(i);
  return i;
}

/* Nothing may stand between a call that must be a tail call and the return. */
static LLVMValueRef before_return(LLVMValueRef ret) {
  LLVMValueRef i = LLVMGetPreviousInstruction(ret);
  if (i && LLVMIsABitCastInst(i)) i = LLVMGetPreviousInstruction(i);
  return i && LLVMIsACallInst(i) && LLVMGetTailCallKind(i) == LLVMTailCallKindMustTail ? i : ret;
}

static void weave_end(struct weaving *w, LLVMBasicBlockRef block, LLVMValueRef frame) {
  LLVMValueRef last = LLVMGetBasicBlockTerminator(block), pad = LLVMGetFirstInstruction(block);
  while (pad && LLVMIsAPHINode(pad)) pad = LLVMGetNextInstruction(pad);
  if (pad && LLVMIsALandingPadInst(pad)) {
    insert_before(&w->in, w->f, LLVMGetNextInstruction(pad));
    if (w->in.hooks->caught) insert_call(&w->in, w->in.hooks->caught, w->in.nothing, &frame, 1);
  }
  LLVMOpcode op = LLVMGetInstructionOpcode(last);
  if (op != LLVMRet && op != LLVMResume) return;
  insert_before(&w->in, w->f, op == LLVMRet ? before_return(last) : last);
  if (w->in.hooks->leave) insert_call(&w->in, w->in.hooks->leave, w->in.nothing, &frame, 1);
}

static LLVMValueRef return_address(struct weaving *w) {
  static const char name[] = "llvm.returnaddress";
  LLVMValueRef level = LLVMConstInt(w->in.order, 0, false);
  LLVMValueRef f = LLVMGetIntrinsicDeclaration(w->in.module, LLVMLookupIntrinsicID(name, strlen(name)), NULL, 0);
  return LLVMBuildCall2(w->in.builder, LLVMGlobalGetValueType(f), f, &level, 1, "");
}

static void weave_frame(struct weaving *w) {
  if (!w->in.hooks->enter) return;
  insert_before(&w->in, w->f, first_instruction(w->f));
  LLVMValueRef address = return_address(w);
  LLVMValueRef frame = insert_call(&w->in, w->in.hooks->enter, w->in.pointer, &address, 1);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(w->f); b; b = LLVMGetNextBasicBlock(b)) weave_end(w, b, frame);
}

/* --- functions --- */

/* Accesses that runs.h may see to. */
static bool is_run_watched(void *who, LLVMValueRef i, LLVMValueRef address, bool writes) {
  struct weaving *w = who;
  return !is_atomic(i) && !LLVMGetMetadata(i, w->nosanitize) && !vptr_is_accessed(i, w->tbaa) && is_watched(w, address, writes);
}

/* A check of an access in a loop is in the code itself, and each makes two blocks of one. Some of the compiler's passes take time that
 * grows faster than the number of blocks, so in a function of that many accesses the checks are called. */
static bool are_loops_short(const struct weaving *w) {
  enum { MOST = 4096 };
  size_t n = 0;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(w->f); b; b = LLVMGetNextBasicBlock(b))
    if (loops_contain(&w->loops, b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) n += LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
  return n <= MOST;
}

static void weave_blocks(struct weaving *w) {
  bool short_loops = are_loops_short(w);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(w->f); b; b = LLVMGetNextBasicBlock(b)) {
    covered_begin(&w->covered, &w->loops, b);
    w->in.looped = short_loops && loops_contain(&w->loops, b);
    for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      weave_instruction(w, i);
    }
  }
}

static void weave_function(struct weaving *w, LLVMValueRef f) {
  w->f = f;
  w->accesses = has_attribute(f, "sanitize_thread");
  w->calls = false;
  loops_find(&w->loops, f);
  covered_find(&w->covered, f, &w->loops, (struct covered_kinds){w->in.data, w->nosanitize, w->tbaa});
  if (w->accesses && w->in.hooks->run_read && w->analyses && !has_attribute(f, "optnone"))
    runs_weave(w->analyses, f, &w->in, is_run_watched, w);
  weave_blocks(w);
  if (w->calls) weave_frame(w);
  loops_clear(&w->loops);
}

void weave_module(LLVMModuleRef module, const struct weave_hooks *hooks, struct weave_analyses *analyses) {
  if (hooks->value_read) {
    recording_weave(module, hooks);
    return;
  }
  struct weaving w = {
      .analyses = analyses, .run = runs_mark(module), .tbaa = LLVMGetMDKindIDInContext(LLVMGetModuleContext(module), "tbaa", 4)};
  w.nosanitize = LLVMGetMDKindIDInContext(LLVMGetModuleContext(module), "nosanitize", 10);
  insert_begin(&w.in, module, hooks);
  locals_begin(&w.locals, module, false);
  LLVMValueRef last = LLVMGetLastFunction(module);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = f == last ? NULL : LLVMGetNextFunction(f))
    if (insert_is_woven(f)) weave_function(&w, f);
  insert_end(&w.in);
  locals_release(&w.locals);
  covered_release(&w.covered);
  loops_release(&w.loops);
}
