/* Numbers the values of a function and decides which of them need code. */
#include <string.h>

#include "program/lower/link.h"
#include "program/lower/lower.h"

static uint32_t hash_pointer(const void *p) { return (uint32_t)(((uint64_t)(uintptr_t)p * 0x9e3779b97f4a7c15u) >> 32); }

static void ids_grow(struct fn *f) {
  uint32_t old_cap = f->ids.cap, cap = old_cap ? old_cap * 2 : 1024;
  LLVMValueRef *keys = mem_alloc(cap * sizeof *keys);
  uint32_t *ids = mem_alloc(cap * sizeof *ids), *epochs = mem_alloc(cap * sizeof *epochs);
  for (uint32_t i = 0; i < old_cap; i++) {
    if (f->ids.epochs[i] != f->ids.epoch) continue;
    uint32_t j = hash_pointer(f->ids.keys[i]) & (cap - 1);
    while (epochs[j] == f->ids.epoch) j = (j + 1) & (cap - 1);
    keys[j] = f->ids.keys[i], ids[j] = f->ids.ids[i], epochs[j] = f->ids.epoch;
  }
  mem_free(f->ids.keys, old_cap * sizeof *keys);
  mem_free(f->ids.ids, old_cap * sizeof *ids);
  mem_free(f->ids.epochs, old_cap * sizeof *epochs);
  f->ids.keys = keys, f->ids.ids = ids, f->ids.epochs = epochs, f->ids.cap = cap;
}

static void ids_add(struct fn *f, LLVMValueRef v, uint32_t id) {
  if (f->ids.count * 2 >= f->ids.cap) ids_grow(f);
  uint32_t j = hash_pointer(v) & (f->ids.cap - 1);
  while (f->ids.epochs[j] == f->ids.epoch) j = (j + 1) & (f->ids.cap - 1);
  f->ids.keys[j] = v, f->ids.ids[j] = id, f->ids.epochs[j] = f->ids.epoch, f->ids.count++;
}

uint32_t fn_id(const struct fn *f, LLVMValueRef v) {
  for (uint32_t j = hash_pointer(v) & (f->ids.cap - 1); f->ids.epochs[j] == f->ids.epoch; j = (j + 1) & (f->ids.cap - 1))
    if (f->ids.keys[j] == v) return f->ids.ids[j];
  return NONE;
}

bool is_integer_compare(LLVMValueRef v) {
  if (LLVMGetValueKind(v) != LLVMInstructionValueKind || LLVMGetInstructionOpcode(v) != LLVMICmp) return false;
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(v, 0)));
  return kind == LLVMPointerTypeKind || (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(v, 0))) <= 64);
}

/* Truncating gives back what was extended: C's bool is an i1 in values and an i8 in variables. */
static bool fits_already(const struct value *root, uint32_t shift, const struct type_info *to) {
  return to->bits == 64 || (shift == 0 && root->type->class == T_INT && root->type->bits <= to->bits);
}

/* Do values of these types lie in slots in the same way? */
static bool same_slots(struct lower *l, const struct type_info *a, const struct type_info *b) {
  if (a == b) return true;
  bool va = a->class == T_VECTOR, vb = b->class == T_VECTOR;
  if (!va && !vb) return a->bits == b->bits && a->bits > 0;
  uint32_t la = va ? a->count : 1, lb = vb ? b->count : 1;
  const struct type_info *ea = va ? a->element : a, *eb = vb ? b->element : b;
  (void)l;
  if (ea->bits == eb->bits && la == lb) return true;
  return ea->bits * la == eb->bits * lb && ea->bits % 64 == 0 && eb->bits % 64 == 0;
}

static LLVMValueRef intrinsic_alias(struct lower *l, LLVMValueRef v) {
  LLVMValueRef callee = LLVMGetCalledValue(v);
  if (LLVMGetValueKind(callee) != LLVMFunctionValueKind) return NULL;
  struct callee c = function_callee(l, callee);
  return c.kind == CALLEE_INTRINSIC && intrinsic_is_alias(c.index) ? LLVMGetOperand(v, 0) : NULL;
}

LLVMValueRef pass_through(struct lower *l, LLVMValueRef v) {
  switch ((int)LLVMGetInstructionOpcode(v)) {
    case LLVMZExt: {
      const struct type_info *to = type_of_value(l, v);
      return to->class == T_INT && to->bits <= 64 ? LLVMGetOperand(v, 0) : NULL;
    }
    case LLVMTrunc:
      return type_of_value(l, v)->class == T_INT && type_of_value(l, v)->bits <= 64 ? LLVMGetOperand(v, 0) : NULL;
    case LLVMPtrToInt: {
      const struct type_info *to = type_of_value(l, v);
      return to->class == T_INT && to->bits == 64 ? LLVMGetOperand(v, 0) : NULL;
    }
    case LLVMIntToPtr:
      return type_of_value(l, LLVMGetOperand(v, 0))->bits <= 64 && type_of_value(l, v)->class == T_POINTER ? LLVMGetOperand(v, 0) : NULL;
    case LLVMAddrSpaceCast:
      return LLVMGetOperand(v, 0);
    case LLVMBitCast:
      return same_slots(l, type_of_value(l, v), type_of_value(l, LLVMGetOperand(v, 0))) ? LLVMGetOperand(v, 0) : NULL;
    case LLVMCall:
      return intrinsic_alias(l, v);
    default:
      return NULL;
  }
}

static bool constant_gep(struct lower *l, LLVMValueRef v) {
  int64_t offset, scale;
  LLVMValueRef index;
  return LLVMGetValueKind(v) == LLVMInstructionValueKind && LLVMGetInstructionOpcode(v) == LLVMGetElementPtr &&
         LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind && gep_decompose(l, v, &offset, &index, &scale) && !index;
}

/* A load or store that may carry an offset: not atomic, and through `pointer`. */
static bool is_plain_access(LLVMValueRef user, LLVMValueRef pointer) {
  LLVMOpcode op = LLVMGetInstructionOpcode(user);
  if (op == LLVMLoad) return LLVMGetOrdering(user) == LLVMAtomicOrderingNotAtomic;
  return op == LLVMStore && LLVMGetOperand(user, 0) != pointer && LLVMGetOrdering(user) == LLVMAtomicOrderingNotAtomic;
}

static const struct type_info *access_type(struct lower *l, LLVMValueRef access) {
  return type_of_value(l, LLVMGetInstructionOpcode(access) == LLVMLoad ? access : LLVMGetOperand(access, 0));
}

static bool fold_constant_gep(struct lower *l, LLVMValueRef v) {
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (!is_plain_access(user, v) && !constant_gep(l, user)) return false;
  }
  return true;
}

static bool fold_indexed_gep(struct lower *l, LLVMValueRef v, int64_t offset, LLVMValueRef index, int64_t scale) {
  if (offset || !index || scale < 1 || scale > 8 || (scale & (scale - 1)) || type_of_value(l, index)->bits != 64) return false;
  for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (!is_plain_access(user, v)) return false;
    const struct type_info *t = access_type(l, user);
    if (t->class > T_DOUBLE || t->slots != 1 || t->bits != 8 * (uint64_t)scale) return false;
  }
  return true;
}

static bool fold_gep(struct lower *l, LLVMValueRef v) {
  int64_t offset, scale;
  LLVMValueRef index;
  if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMPointerTypeKind || !gep_decompose(l, v, &offset, &index, &scale)) return false;
  return index ? fold_indexed_gep(l, v, offset, index, scale) : fold_constant_gep(l, v);
}

struct address fn_address(struct fn *f, LLVMValueRef pointer) {
  struct address a = {pointer, 0, NULL};
  uint32_t id = fn_id(f, pointer);
  int64_t offset, scale;
  LLVMValueRef index;
  if (id == NONE || f->values.data[id].how != HOW_FOLD || !gep_decompose(f->l, pointer, &offset, &index, &scale)) return a;
  a.base = LLVMGetOperand(pointer, 0), a.offset = offset, a.index = index;
  for (;;) {
    id = fn_id(f, a.base);
    if (a.index || id == NONE || f->values.data[id].how != HOW_FOLD) return a;
    if (!gep_decompose(f->l, a.base, &offset, &index, &scale) || index) return a;
    a.offset += offset, a.base = LLVMGetOperand(a.base, 0);
  }
}

/* "not" in front of a branch: the branch goes the other way. */
static bool fold_not(LLVMValueRef v) {
  uint64_t k;
  LLVMUseRef u = LLVMGetFirstUse(v);
  if (!u || LLVMGetNextUse(u) || LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(LLVMTypeOf(v)) != 1)
    return false;
  LLVMValueRef user = LLVMGetUser(u);
  return const_integer(LLVMGetOperand(v, 1), &k) && k == 1 && LLVMGetInstructionOpcode(user) == LLVMBr &&
         LLVMGetInstructionParent(user) == LLVMGetInstructionParent(v);
}

static bool fold_compare(LLVMValueRef v) {
  LLVMUseRef u = LLVMGetFirstUse(v);
  if (!u || LLVMGetNextUse(u) || !is_integer_compare(v)) return false;
  LLVMValueRef user = LLVMGetUser(u);
  bool branch = LLVMGetInstructionOpcode(user) == LLVMBr || (LLVMGetInstructionOpcode(user) == LLVMXor && fold_not(user));
  return branch && LLVMGetInstructionParent(user) == LLVMGetInstructionParent(v);
}

static bool is_pure(LLVMOpcode op) {
  return (op >= LLVMAdd && op <= LLVMXor) || (op >= LLVMTrunc && op <= LLVMSelect && op != LLVMCall) || op == LLVMGetElementPtr ||
         (op >= LLVMExtractElement && op <= LLVMInsertValue) || op == LLVMFNeg || op == LLVMFreeze || op == LLVMAddrSpaceCast;
}

static bool is_nothing(struct lower *l, LLVMValueRef v, LLVMOpcode op) {
  if (!LLVMGetFirstUse(v) && is_pure(op) && op != LLVMUDiv && op != LLVMSDiv && op != LLVMURem && op != LLVMSRem) return true;
  if (op != LLVMCall) return false;
  LLVMValueRef callee = LLVMGetCalledValue(v);
  if (LLVMGetValueKind(callee) != LLVMFunctionValueKind) return false;
  struct callee c = function_callee(l, callee);
  return c.kind == CALLEE_INTRINSIC && intrinsic_is_nothing(c.index);
}

static bool is_in_place(LLVMValueRef v) {
  LLVMValueRef from = LLVMGetOperand(v, 0);
  LLVMOpcode op = LLVMGetInstructionOpcode(v);
  if (op == LLVMInsertElement && LLVMGetValueKind(LLVMGetOperand(v, 2)) != LLVMConstantIntValueKind) return false;
  if (LLVMGetValueKind(from) != LLVMInstructionValueKind || LLVMGetInstructionParent(from) != LLVMGetInstructionParent(v)) return false;
  LLVMOpcode from_op = LLVMGetInstructionOpcode(from);
  LLVMUseRef u = LLVMGetFirstUse(from);
  return (from_op == LLVMInsertValue || from_op == LLVMInsertElement) && u && !LLVMGetNextUse(u) && LLVMGetOperand(v, 1) != from;
}

static uint32_t extract_shift(struct lower *l, LLVMValueRef v) {
  const struct type_info *t = type_of_value(l, LLVMGetOperand(v, 0));
  uint32_t shift = 0, slot;
  uint64_t offset;
  for (unsigned i = 0; i < LLVMGetNumIndices(v); i++) t = type_element(l, t, LLVMGetIndices(v)[i], &slot, &offset), shift += slot;
  return shift;
}

/* The value that `v` can share slots with, and from which slot of it. */
static LLVMValueRef alias_of(struct lower *l, LLVMValueRef v, LLVMOpcode op, uint32_t *shift) {
  *shift = 0;
  switch ((int)op) {
    case LLVMExtractValue:
      *shift = extract_shift(l, v);
      return LLVMGetOperand(v, 0);
    case LLVMExtractElement: {
      uint64_t k;
      const struct type_info *t = type_of_value(l, LLVMGetOperand(v, 0));
      if (!const_integer(LLVMGetOperand(v, 1), &k) || k >= t->count) return NULL;
      *shift = (uint32_t)k * t->element->slots;
      return LLVMGetOperand(v, 0);
    }
    case LLVMInsertValue:
    case LLVMInsertElement:
      return is_in_place(v) ? LLVMGetOperand(v, 0) : NULL;
    case LLVMGetElementPtr: {
      int64_t offset, scale;
      LLVMValueRef index;
      bool nothing = constant_gep(l, v) && gep_decompose(l, v, &offset, &index, &scale) && offset == 0;
      return nothing ? LLVMGetOperand(v, 0) : NULL;
    }
    default:
      return pass_through(l, v);
  }
}

/* Equal computations --------------------------------------------------- */

static bool is_repeatable(LLVMOpcode op) {
  return op == LLVMSExt || op == LLVMTrunc || op == LLVMGetElementPtr ||
         (op >= LLVMAdd && op <= LLVMXor && op != LLVMUDiv && op != LLVMSDiv && op != LLVMURem && op != LLVMSRem);
}

/* What stands for an operand: the value that it lives in. */
static LLVMValueRef representative(const struct fn *f, LLVMValueRef operand) {
  uint32_t id = fn_id(f, operand);
  if (id == NONE || f->values.data[id].how != HOW_ALIAS || f->values.data[id].shift) return operand;
  return f->values.data[f->values.data[id].root].v;
}

static bool same_computation(const struct fn *f, const struct value *a, const struct value *b, LLVMOpcode op) {
  unsigned n = (unsigned)LLVMGetNumOperands(a->v);
  if (a->block != b->block || a->type != b->type || LLVMGetInstructionOpcode(b->v) != op || (unsigned)LLVMGetNumOperands(b->v) != n)
    return false;
  if (op == LLVMGetElementPtr && LLVMGetGEPSourceElementType(a->v) != LLVMGetGEPSourceElementType(b->v)) return false;
  for (unsigned i = 0; i < n; i++) {
    LLVMValueRef x = LLVMGetOperand(a->v, i), y = LLVMGetOperand(b->v, i);
    if (x != y && representative(f, x) != representative(f, y)) return false;
    if ((op == LLVMSExt || op == LLVMTrunc) && LLVMTypeOf(x) != LLVMTypeOf(y)) return false;
  }
  return true;
}

/* An earlier value of the block that is computed in the same way: unoptimised code extends the same index for each access. Only
 * arithmetic on values; memory is never read less often. */
static uint32_t earlier_equal(struct fn *f, uint32_t id, LLVMOpcode op) {
  const struct value *x = &f->values.data[id];
  if (!is_repeatable(op) || x->type->slots != 1) return NONE;
  uint32_t hash = hash_pointer(representative(f, LLVMGetOperand(x->v, 0))) * 31 + (uint32_t)op;
  uint32_t *place = &f->recent[hash % RECENT];
  uint32_t other = *place;
  bool same = other < id && f->values.data[other].how == HOW_EMIT && same_computation(f, &f->values.data[other], x, op);
  if (!same) *place = id;
  return same ? other : NONE;
}

static void classify(struct fn *f, uint32_t id) {
  struct value *x = &f->values.data[id];
  LLVMOpcode op = LLVMGetInstructionOpcode(x->v);
  uint32_t shift;
  x->how = HOW_EMIT;
  if (is_nothing(f->l, x->v, op)) {
    x->how = HOW_NONE;
    return;
  }
  LLVMValueRef from = alias_of(f->l, x->v, op, &shift);
  uint32_t root = from ? fn_id(f, from) : NONE;
  if (root != NONE && root < id) {
    const struct value *r = &f->values.data[root];
    if (r->how == HOW_ALIAS) shift += r->shift, root = r->root;
    if (f->values.data[root].how == HOW_EMIT && (op != LLVMTrunc || fits_already(&f->values.data[root], shift, x->type))) {
      x->how = HOW_ALIAS, x->root = root, x->shift = shift;
      return;
    }
  }
  if ((op == LLVMGetElementPtr && fold_gep(f->l, x->v)) || (op == LLVMICmp && fold_compare(x->v)) || (op == LLVMXor && fold_not(x->v)))
    x->how = HOW_FOLD;
  if (x->how == HOW_EMIT && (root = earlier_equal(f, id, op)) != NONE) x->how = HOW_ALIAS, x->root = root, x->shift = 0;
}

static uint32_t add_value(struct fn *f, LLVMValueRef v, uint32_t block, uint32_t pos) {
  uint32_t id = (uint32_t)f->values.count;
  *vec_push(&f->values) = (struct value){.v = v,
                                         .type = type_of_value(f->l, v),
                                         .block = block,
                                         .pos = pos,
                                         .root = NONE,
                                         .leader = id,
                                         .next_member = NONE,
                                         .slot = NONE,
                                         .uses = NONE,
                                         .shadow = NONE};
  ids_add(f, v, id);
  return id;
}

static bool returns_twice(LLVMValueRef call) {
  static unsigned kind;
  if (!kind) kind = LLVMGetEnumAttributeKindForName("returns_twice", 13);
  LLVMValueRef callee = LLVMGetCalledValue(call);
  return LLVMGetCallSiteEnumAttribute(call, FUNCTION_ATTRIBUTES, kind) ||
         (LLVMGetValueKind(callee) == LLVMFunctionValueKind && LLVMGetEnumAttributeAtIndex(callee, FUNCTION_ATTRIBUTES, kind));
}

static void number_block(struct fn *f, uint32_t b) {
  struct block *block = &f->blocks.data[b];
  uint32_t pos = 0;
  for (LLVMValueRef v = LLVMGetFirstInstruction(block->bb); v; v = LLVMGetNextInstruction(v)) {
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    uint32_t id = add_value(f, v, b, op == LLVMPHI ? 0 : ++pos);
    if (f->values.data[id].type->class != T_VOID && LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMTokenTypeKind &&
        LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMMetadataTypeKind)
      type_check_value(f->l, f->values.data[id].type, v);
    if (op == LLVMCall && !f->no_sharing && returns_twice(v)) f->no_sharing = true;
    if (f->l->failed) return;
  }
}

/* Values that are used before their block comes in the list (loops) are never aliases of those: see classify's root < id. */
void fn_plan(struct fn *f) {
  if (++f->ids.epoch == 0 || f->ids.cap == 0) f->ids.epoch = 1, ids_grow(f);
  f->ids.count = 0;
  memset(f->recent, 0xff, sizeof f->recent);
  for (LLVMValueRef p = LLVMGetFirstParam(f->f); p; p = LLVMGetNextParam(p)) {
    uint32_t id = add_value(f, p, 0, 0);
    f->values.data[id].how = HOW_EMIT;
    type_check_value(f->l, f->values.data[id].type, NULL);
  }
  for (LLVMBasicBlockRef bb = LLVMGetFirstBasicBlock(f->f); bb; bb = LLVMGetNextBasicBlock(bb)) {
    ids_add(f, LLVMBasicBlockAsValue(bb), (uint32_t)f->blocks.count);
    *vec_push(&f->blocks) = (struct block){.bb = bb, .label = NONE};
  }
  flow_analyse(f);
  uint32_t first = (uint32_t)f->values.count;
  for (uint32_t b = 0; b < f->blocks.count && !f->l->failed; b++)
    if (f->blocks.data[b].reachable) number_block(f, b);
  if (f->l->failed) return;
  for (uint32_t i = first; i < f->values.count; i++) {
    classify(f, i);
    const struct value *x = &f->values.data[i];
    if (x->how == HOW_EMIT && LLVMGetInstructionOpcode(x->v) != LLVMPHI) f->blocks.data[x->block].size++;
  }
}
