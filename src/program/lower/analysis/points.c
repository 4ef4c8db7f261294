#include "program/lower/analysis/points.h"

#include <string.h>

#include "program/lower/link.h"

#define NONE UINT32_MAX

void points_release(struct points *p) {
  vec_release(&p->points);
  vec_release(&p->work);
  vec_release(&p->params);
  hashmap_release(&p->values);
}

/* --- calls --- */

bool function_is_model(LLVMValueRef f) {
  return LLVMGetStringAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, LINK_MODEL_MARK, sizeof LINK_MODEL_MARK - 1) !=
         NULL;
}

bool function_is_taken(LLVMValueRef f) {
  for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (LLVMGetValueKind(user) != LLVMInstructionValueKind || !is_call(user) || LLVMGetCalledValue(user) != f) return true;
    for (unsigned i = 0, n = LLVMGetNumArgOperands(user); i < n; i++)
      if (LLVMGetOperand(user, i) == f) return true;
  }
  return false;
}

LLVMValueRef call_function(LLVMValueRef call) {
  LLVMValueRef f = LLVMGetCalledValue(call);
  if (LLVMGetValueKind(f) == LLVMGlobalAliasValueKind) f = LLVMAliasGetAliasee(f);
  return LLVMGetValueKind(f) == LLVMFunctionValueKind ? f : NULL;
}

static bool begins(const char *name, const char *const *prefixes) {
  for (; *prefixes; prefixes++)
    if (strncmp(name, *prefixes, strlen(*prefixes)) == 0) return true;
  return false;
}

static bool is_one_of(const char *name, const char *const *names) {
  for (; *names; names++)
    if (strcmp(name, *names) == 0) return true;
  return false;
}

static enum call_kind intrinsic_kind(const char *name) {
  static const char *const copies[] = {"llvm.memcpy.", "llvm.memmove.", "llvm.va_copy", NULL};
  static const char *const fills[] = {"llvm.memset.", NULL};
  static const char *const outside[] = {"llvm.va_start", "llvm.eh.", "llvm.stackrestore", NULL};
  if (begins(name, copies)) return CALL_COPY;
  if (begins(name, fills)) return CALL_FILL;
  return begins(name, outside) ? CALL_OUTSIDE : CALL_NOTHING;
}

enum call_kind call_kind_of(LLVMValueRef call) {
  static const char *const allocates[] = {
      "malloc", "calloc", "aligned_alloc", "_Znwm", "_Znam", "_ZnwmSt11align_val_t", "_ZnamSt11align_val_t", NULL};
  static const char *const sync[] = {"pthread_mutex_",
                                     "pthread_cond_",
                                     "pthread_rwlock_",
                                     "pthread_spin_",
                                     "pthread_barrier_",
                                     "sem_",
                                     "hd_",
                                     "__assert",
                                     "free",
                                     "sched_yield",
                                     "_Zdl",
                                     "_Zda",
                                     "mtx_",
                                     "cnd_",
                                     "abort",
                                     "exit",
                                     NULL};
  /* Models that read a time and are primitives but for that. */
  static const char *const waits[] = {"pthread_mutex_", "pthread_cond_", "pthread_rwlock_", "sem_timedwait", "sem_clockwait", NULL};
  static const char *const starts[] = {"pthread_create", "pthread_join", "thrd_create", "thrd_join", NULL};
  if (LLVMIsAInlineAsm(LLVMGetCalledValue(call))) return CALL_OUTSIDE;
  LLVMValueRef f = call_function(call);
  if (!f) return CALL_POINTER;
  size_t n;
  const char *name = LLVMGetValueName2(f, &n);
  if (!LLVMIsDeclaration(f)) return !function_is_model(f) ? CALL_INSIDE : begins(name, waits) ? CALL_SYNC : CALL_OUTSIDE;
  if (strncmp(name, "llvm.", 5) == 0) return intrinsic_kind(name);
  if (is_one_of(name, allocates)) return CALL_ALLOCATE;
  if (is_one_of(name, starts)) return CALL_START;
  return begins(name, sync) ? CALL_SYNC : CALL_OUTSIDE;
}

/* --- classes --- */

static uint32_t new_point(struct points *p) {
  uint32_t i = (uint32_t)p->points.count;
  *vec_push(&p->points) = (struct point){i, NONE};
  return i;
}

static uint32_t find(struct points *p, uint32_t i) {
  struct point *all = p->points.data;
  while (all[i].parent != i) i = all[i].parent = all[all[i].parent].parent;
  return i;
}

static uint32_t pointee(struct points *p, uint32_t i) {
  i = find(p, i);
  if (p->points.data[i].pointee == NONE) {
    uint32_t fresh = new_point(p);
    p->points.data[i].pointee = fresh;
  }
  return find(p, p->points.data[i].pointee);
}

static void join(struct points *p, uint32_t a, uint32_t b) {
  *vec_push(&p->work) = (struct point){a, b};
  while (p->work.count) {
    struct point pair = vec_pop(&p->work);
    a = find(p, pair.parent), b = find(p, pair.pointee);
    if (a == b) continue;
    struct point *x = &p->points.data[a], *y = &p->points.data[b];
    x->parent = b;
    if (x->pointee == NONE) continue;
    if (y->pointee == NONE)
      y->pointee = x->pointee;
    else
      *vec_push(&p->work) = (struct point){x->pointee, y->pointee};
  }
}

/* `a` may be what `b` is: they point to the same. */
static void equate(struct points *p, uint32_t a, uint32_t b) {
  if (a == NONE || b == NONE || find(p, a) == find(p, b)) return;
  join(p, pointee(p, a), pointee(p, b));
}

/* --- values --- */

/* Values of other types hold no pointers. */
static bool may_point(LLVMTypeRef type) {
  switch ((int)LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind:
    case LLVMStructTypeKind:
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind:
      return true;
    case LLVMIntegerTypeKind:
      return LLVMGetIntTypeWidth(type) >= 64;
    default:
      return false;
  }
}

static uint32_t value_point(struct points *p, LLVMValueRef v);

static bool is_object(LLVMValueRef v) {
  LLVMValueKind kind = LLVMGetValueKind(v);
  return kind == LLVMGlobalVariableValueKind || kind == LLVMFunctionValueKind;
}

/* Constants are made of others; their point is fresh, and points where those do. */
static void constant_parts(struct points *p, LLVMValueRef v, uint32_t to) {
  if (!LLVMIsConstant(v) || is_object(v)) return;
  for (int i = 0, n = LLVMGetNumOperands(v); i < n; i++) {
    LLVMValueRef part = LLVMGetOperand(v, (unsigned)i);
    if (part && LLVMIsConstant(part) && may_point(LLVMTypeOf(part))) equate(p, to, value_point(p, part));
  }
}

static uint32_t value_point(struct points *p, LLVMValueRef v) {
  if (!v || LLVMGetValueKind(v) == LLVMMetadataAsValueValueKind || LLVMGetValueKind(v) == LLVMInlineAsmValueKind) return NONE;
  if (!may_point(LLVMTypeOf(v)) || LLVMIsAConstantInt(v) || LLVMIsNull(v) || LLVMIsUndef(v)) return NONE;
  bool is_new = false;
  uint32_t point = (uint32_t)*hashmap_at(&p->values, (uint64_t)(uintptr_t)v, p->points.count, &is_new);
  if (!is_new) return point;
  (void)new_point(p);
  constant_parts(p, v, point);
  return point;
}

uint32_t points_memory(struct points *p, LLVMValueRef pointer) {
  uint32_t point = value_point(p, pointer);
  return point == NONE ? find(p, p->unknown) : pointee(p, point);
}

/* --- instructions --- */

static uint32_t operand_point(struct points *p, LLVMValueRef v, unsigned i) { return value_point(p, LLVMGetOperand(v, i)); }

static uint32_t content(struct points *p, LLVMValueRef pointer) {
  uint32_t point = value_point(p, pointer);
  return point == NONE ? NONE : pointee(p, point);
}

static void expose(struct points *p, uint32_t point) {
  if (point != NONE) join(p, pointee(p, point), p->unknown);
}

static uint32_t indirect_param(struct points *p, unsigned i) {
  while (p->params.count <= i) *vec_push(&p->params) = new_point(p);
  return p->params.data[i];
}

/* The point of what the function returns. */
static uint32_t result_point(struct points *p, LLVMValueRef f) {
  bool is_new = false;
  uint32_t point = (uint32_t)*hashmap_at(&p->values, (uint64_t)(uintptr_t)f + 1, p->points.count, &is_new);
  if (is_new) (void)new_point(p);
  return point;
}

static void call_inside(struct points *p, LLVMValueRef v, LLVMValueRef f) {
  unsigned params = LLVMCountParams(f);
  for (unsigned i = 0, n = LLVMGetNumArgOperands(v); i < n; i++) {
    if (i < params)
      equate(p, operand_point(p, v, i), value_point(p, LLVMGetParam(f, i)));
    else
      expose(p, operand_point(p, v, i));
  }
  equate(p, value_point(p, v), result_point(p, f));
}

static void call_outside(struct points *p, LLVMValueRef v) {
  for (unsigned i = 0, n = LLVMGetNumArgOperands(v); i < n; i++) {
    expose(p, operand_point(p, v, i));
    equate(p, operand_point(p, v, i), indirect_param(p, 0)); /* a new thread's argument, a callback's */
  }
  expose(p, value_point(p, v));
}

static void find_call(struct points *p, LLVMValueRef v) {
  switch (call_kind_of(v)) {
    case CALL_INSIDE:
      call_inside(p, v, call_function(v));
      return;
    case CALL_POINTER:
      for (unsigned i = 0, n = LLVMGetNumArgOperands(v); i < n; i++) equate(p, operand_point(p, v, i), indirect_param(p, i));
      equate(p, value_point(p, v), p->results);
      return;
    case CALL_COPY:
      equate(p, content(p, LLVMGetOperand(v, 0)), content(p, LLVMGetOperand(v, 1)));
      return;
    case CALL_NOTHING: /* some give back their argument */
      for (unsigned i = 0, n = LLVMGetNumArgOperands(v); i < n; i++) equate(p, value_point(p, v), operand_point(p, v, i));
      return;
    case CALL_FILL:
    case CALL_ALLOCATE:
    case CALL_SYNC:
      return;
    case CALL_START:
    case CALL_OUTSIDE:
      call_outside(p, v);
      return;
  }
}

static void find_instruction(struct points *p, LLVMValueRef f, LLVMValueRef v) {
  switch ((int)LLVMGetInstructionOpcode(v)) {
    case LLVMLoad:
      equate(p, value_point(p, v), content(p, LLVMGetOperand(v, 0)));
      return;
    case LLVMStore:
      equate(p, content(p, LLVMGetOperand(v, 1)), operand_point(p, v, 0));
      return;
    case LLVMAtomicRMW:
      equate(p, content(p, LLVMGetOperand(v, 0)), operand_point(p, v, 1));
      equate(p, value_point(p, v), content(p, LLVMGetOperand(v, 0)));
      return;
    case LLVMAtomicCmpXchg:
      equate(p, content(p, LLVMGetOperand(v, 0)), operand_point(p, v, 2));
      equate(p, value_point(p, v), content(p, LLVMGetOperand(v, 0)));
      return;
    case LLVMRet:
      if (LLVMGetNumOperands(v)) equate(p, result_point(p, f), operand_point(p, v, 0));
      return;
    case LLVMVAArg:
    case LLVMLandingPad:
      expose(p, value_point(p, v));
      return;
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMAlloca:
      return;
    case LLVMCall:
    case LLVMInvoke:
      find_call(p, v);
      return;
    default:
      for (int i = 0, n = LLVMGetNumOperands(v); i < n; i++) {
        LLVMValueRef operand = LLVMGetOperand(v, (unsigned)i);
        if (LLVMGetValueKind(operand) != LLVMBasicBlockValueKind) equate(p, value_point(p, v), value_point(p, operand));
      }
  }
}

static void find_function(struct points *p, LLVMValueRef f) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v)) find_instruction(p, f, v);
  if (!function_is_taken(f)) return;
  for (unsigned i = 0, n = LLVMCountParams(f); i < n; i++) equate(p, value_point(p, LLVMGetParam(f, i)), indirect_param(p, i));
  equate(p, result_point(p, f), p->results);
}

void points_find(struct points *p, LLVMModuleRef module) {
  p->unknown = new_point(p);
  p->points.data[p->unknown].pointee = p->unknown;
  p->results = new_point(p);
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
    if (LLVMIsDeclaration(g)) {
      expose(p, value_point(p, g));
      continue;
    }
    LLVMValueRef initial = LLVMGetInitializer(g);
    if (initial) equate(p, content(p, g), value_point(p, initial));
  }
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && !function_is_model(f)) find_function(p, f);
}
