/* Loads, stores, atomics, addresses and stack allocations. */
#include "program/lower/lower.h"

#include <string.h>

#include "trace/event.h"

static bool fits16(int64_t k) { return k >= INT16_MIN && k <= INT16_MAX; }

/* 0..3 for accesses of 1, 2, 4, 8 bytes that have an instruction of their own, else -1. */
static int simple_access(const struct type_info *t) {
  if (t->class == T_VECTOR || t->class == T_ARRAY || t->class == T_STRUCT || t->slots != 1) return -1;
  switch (t->bits) {
    case 1:
    case 8:
      return 0;
    case 16:
      return 1;
    case 32:
      return 2;
    case 64:
      return 3;
    default:
      return -1;
  }
}

static uint32_t near_base(struct fn *f, uint32_t base, int64_t *offset) {
  if (fits16(*offset)) return base;
  uint32_t t = temp_slots(f, 1);
  emit(f, OP_ADD64, t, base, constant_slot(f, (uint64_t)*offset));
  *offset = 0;
  return t;
}

static void mask_loaded(struct fn *f, uint32_t d, const struct type_info *t) {
  if (t->class != T_INT || t->bits % 8 == 0) return;
  if (t->bits > 128)
    wide_mask(f, d, t->bits);
  else
    emit(f, t->bits > 64 ? OP_WTRUNC : OP_TRUNC, d, d, t->bits);
}

void emit_load_at(struct fn *f, uint32_t d, const struct type_info *t, uint32_t base, int64_t offset) {
  if (t->slots == 0) return;
  base = near_base(f, base, &offset);
  int size = simple_access(t);
  if (size >= 0) {
    emit(f, OP_LD8 + (unsigned)size, d, base, (uint16_t)offset);
  } else {
    uint32_t layout = type_layout(f->l, t);
    emit(f, OP_LDN, d, base, (uint16_t)offset);
    emit_halves(f, layout, 0);
  }
  mask_loaded(f, d, t);
}

void emit_store_at(struct fn *f, uint32_t s, const struct type_info *t, uint32_t base, int64_t offset) {
  if (t->slots == 0) return;
  base = near_base(f, base, &offset);
  int size = simple_access(t);
  if (size >= 0) {
    emit(f, OP_ST8 + (unsigned)size, s, base, (uint16_t)offset);
    return;
  }
  uint32_t layout = type_layout(f->l, t);
  emit(f, OP_STN, s, base, (uint16_t)offset);
  emit_halves(f, layout, 0);
}

unsigned event_order_of(LLVMAtomicOrdering ordering) {
  switch (ordering) {
    case LLVMAtomicOrderingNotAtomic:
      return ORDER_PLAIN;
    case LLVMAtomicOrderingUnordered:
    case LLVMAtomicOrderingMonotonic:
      return ORDER_RELAXED;
    case LLVMAtomicOrderingAcquire:
      return ORDER_ACQUIRE;
    case LLVMAtomicOrderingRelease:
      return ORDER_RELEASE;
    case LLVMAtomicOrderingAcquireRelease:
      return ORDER_ACQ_REL;
    case LLVMAtomicOrderingSequentiallyConsistent:
      return ORDER_SEQ_CST;
  }
  return ORDER_SEQ_CST;
}

static bool atomic_size(struct fn *f, LLVMValueRef v, const struct type_info *t, uint32_t *size) {
  int simple = simple_access(t);
  *size = simple < 0 ? 0 : 1u << simple;
  if (simple < 0) lower_fail(f->l, v, "an atomic access of more than 64 bits or of an odd size");
  return simple >= 0;
}

/* 16 bytes: the machine has functions for them (machine/interpret/atomic_wide.c). */
static bool is_wide(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 128; }

static bool in_other_space(struct fn *f, LLVMValueRef at, LLVMValueRef pointer) {
  LLVMTypeRef type = LLVMTypeOf(pointer);
  if (LLVMGetTypeKind(type) != LLVMPointerTypeKind || LLVMGetPointerAddressSpace(type) == 0) return false;
  lower_fail(f->l, at, "an access relative to a segment register");
  return true;
}

/* A byte that says whether a static local variable of C++ is initialised. The compiler chose the order of its load, and not the program, to
 * which the machine tells how its orders are explored. */
static bool is_guard(LLVMValueRef pointer) {
  size_t n;
  while (LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMBitCast) pointer = LLVMGetOperand(pointer, 0);
  return LLVMIsAGlobalVariable(pointer) && strncmp(LLVMGetValueName2(pointer, &n), "_ZGV", 4) == 0;
}

void emit_load(struct fn *f, LLVMValueRef v) {
  const struct type_info *t = type_of_value(f->l, v);
  LLVMValueRef pointer = LLVMGetOperand(v, 0);
  LLVMAtomicOrdering ordering = LLVMGetOrdering(v);
  uint32_t d = def_slot(f, v), size;
  if (in_other_space(f, v, pointer)) return;
  if (ordering != LLVMAtomicOrderingNotAtomic && is_wide(LLVMTypeOf(v))) {
    emit_extern_call(f, "__hd_atomic16_load", d, 2, (uint32_t[]){use_slot(f, pointer), constant_slot(f, event_order_of(ordering))}, 2);
    return;
  }
  if (ordering != LLVMAtomicOrderingNotAtomic) {
    if (!atomic_size(f, v, t, &size)) return;
    unsigned order = is_guard(pointer) ? ORDER_SEQ_CST : event_order_of(ordering);
    emit(f, OP_ATOMIC_LD, d, use_slot(f, pointer), size | order << 8);
    mask_loaded(f, d, t);
    return;
  }
  struct address a = fn_address(f, pointer);
  uint32_t base = use_slot(f, a.base);
  if (a.index)
    emit(f, OP_LDX8 + (unsigned)simple_access(t), d, base, use_slot(f, a.index));
  else
    emit_load_at(f, d, t, base, a.offset);
}

void emit_store(struct fn *f, LLVMValueRef v) {
  LLVMValueRef value = LLVMGetOperand(v, 0), pointer = LLVMGetOperand(v, 1);
  const struct type_info *t = type_of_value(f->l, value);
  LLVMAtomicOrdering ordering = LLVMGetOrdering(v);
  uint32_t size;
  if (in_other_space(f, v, pointer) || t->slots == 0) return;
  uint32_t s = use_slot(f, value);
  if (ordering != LLVMAtomicOrderingNotAtomic && is_wide(LLVMTypeOf(value))) {
    uint32_t args[] = {use_slot(f, pointer), s, s + 1, constant_slot(f, event_order_of(ordering))};
    emit_extern_call(f, "__hd_atomic16_store", 0, 0, args, 4);
    return;
  }
  if (ordering != LLVMAtomicOrderingNotAtomic) {
    if (!atomic_size(f, v, t, &size)) return;
    emit(f, OP_ATOMIC_ST, s, use_slot(f, pointer), size | event_order_of(ordering) << 8);
    return;
  }
  struct address a = fn_address(f, pointer);
  uint32_t base = use_slot(f, a.base);
  if (a.index)
    emit(f, OP_STX8 + (unsigned)simple_access(t), s, base, use_slot(f, a.index));
  else
    emit_store_at(f, s, t, base, a.offset);
}

static void emit_exchange(struct fn *f, LLVMValueRef v) {
  LLVMValueRef expected = LLVMGetOperand(v, 1), wanted = LLVMGetOperand(v, 2);
  uint32_t size, address = use_slot(f, LLVMGetOperand(v, 0)), e = use_slot(f, expected), w = use_slot(f, wanted);
  unsigned success = event_order_of(LLVMGetCmpXchgSuccessOrdering(v)), failure = event_order_of(LLVMGetCmpXchgFailureOrdering(v));
  if (is_wide(LLVMTypeOf(expected))) {
    uint32_t args[] = {address, e, e + 1, w, w + 1, constant_slot(f, success), constant_slot(f, failure)};
    emit_extern_call(f, "__hd_atomic16_exchange_if", def_slot(f, v), 3, args, 7);
    return;
  }
  if (!atomic_size(f, v, type_of_value(f->l, expected), &size)) return;
  emit(f, OP_ATOMIC_CAS, def_slot(f, v), address, e);
  emit_halves(f, w, size | success << 8 | failure << 16 | (LLVMGetWeak(v) ? 1u << 24 : 0));
}

static bool rmw_op_of(LLVMAtomicRMWBinOp op, uint32_t *out) {
  switch ((int)op) {
    case LLVMAtomicRMWBinOpXchg:
      *out = RMW_XCHG;
      return true;
    case LLVMAtomicRMWBinOpAdd:
      *out = RMW_ADD;
      return true;
    case LLVMAtomicRMWBinOpSub:
      *out = RMW_SUB;
      return true;
    case LLVMAtomicRMWBinOpAnd:
      *out = RMW_AND;
      return true;
    case LLVMAtomicRMWBinOpNand:
      *out = RMW_NAND;
      return true;
    case LLVMAtomicRMWBinOpOr:
      *out = RMW_OR;
      return true;
    case LLVMAtomicRMWBinOpXor:
      *out = RMW_XOR;
      return true;
    case LLVMAtomicRMWBinOpMax:
      *out = RMW_MAX;
      return true;
    case LLVMAtomicRMWBinOpMin:
      *out = RMW_MIN;
      return true;
    case LLVMAtomicRMWBinOpUMax:
      *out = RMW_UMAX;
      return true;
    case LLVMAtomicRMWBinOpUMin:
      *out = RMW_UMIN;
      return true;
    case LLVMAtomicRMWBinOpFAdd:
      *out = RMW_FADD;
      return true;
    case LLVMAtomicRMWBinOpFSub:
      *out = RMW_FSUB;
      return true;
    case LLVMAtomicRMWBinOpFMax:
      *out = RMW_FMAX;
      return true;
    case LLVMAtomicRMWBinOpFMin:
      *out = RMW_FMIN;
      return true;
    default:
      return false;
  }
}

void emit_atomic(struct fn *f, LLVMValueRef v, LLVMOpcode op) {
  if (op == LLVMFence) {
    emit(f, OP_FENCE, event_order_of(LLVMGetOrdering(v)), 0, 0);
    return;
  }
  if (in_other_space(f, v, LLVMGetOperand(v, 0))) return;
  if (op == LLVMAtomicCmpXchg) {
    emit_exchange(f, v);
    return;
  }
  uint32_t size, rmw;
  if (!rmw_op_of(LLVMGetAtomicRMWBinOp(v), &rmw)) {
    lower_fail(f->l, v, "this atomic operation");
    return;
  }
  uint32_t address = use_slot(f, LLVMGetOperand(v, 0)), operand = use_slot(f, LLVMGetOperand(v, 1));
  if (is_wide(LLVMTypeOf(v))) {
    uint32_t args[] = {address, operand, operand + 1, constant_slot(f, event_order_of(LLVMGetOrdering(v))), constant_slot(f, rmw)};
    emit_extern_call(f, "__hd_atomic16_rmw", def_slot(f, v), 2, args, 5);
    return;
  }
  if (!atomic_size(f, v, type_of_value(f->l, v), &size)) return;
  emit(f, OP_ATOMIC_RMW, def_slot(f, v), address, operand);
  emit_halves(f, rmw, size | event_order_of(LLVMGetOrdering(v)) << 8);
}

/* Addresses ------------------------------------------------------------ */

static void emit_scaled(struct fn *f, uint32_t d, uint32_t base, uint32_t index, uint64_t scale) {
  switch (scale) {
    case 1:
      emit(f, OP_LEA1, d, base, index);
      return;
    case 2:
      emit(f, OP_LEA2, d, base, index);
      return;
    case 4:
      emit(f, OP_LEA4, d, base, index);
      return;
    case 8:
      emit(f, OP_LEA8, d, base, index);
      return;
    default:
      emit(f, OP_LEAS, d, base, index);
      emit_word(f, scale);
  }
}

#define TERMS_MAX 16

struct term {
  uint32_t slot, bits;
  uint64_t scale;
};

static void add_offset(struct fn *f, uint32_t d, uint32_t base, int64_t offset) {
  if (offset == 0)
    emit_copy(f, d, base, 1);
  else if (fits16(offset))
    emit(f, OP_ADDI64, d, base, (uint16_t)offset);
  else
    emit(f, OP_ADD64, d, base, constant_slot(f, (uint64_t)offset));
}

static uint32_t lane_of(LLVMValueRef v, uint32_t lane) { return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind ? lane : 0; }

static const struct type_info *scalar_type(struct lower *l, LLVMValueRef v) {
  const struct type_info *t = type_of_value(l, v);
  return t->class == T_VECTOR ? t->element : t;
}

/* Splits a getelementptr into a constant offset and variable terms; returns their number. */
static uint32_t split_gep(struct fn *f, LLVMValueRef v, uint32_t lane, int64_t *offset, struct term terms[TERMS_MAX]) {
  struct lower *l = f->l;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(v);
  uint32_t nterms = 0;
  for (unsigned i = 1, n = (unsigned)LLVMGetNumOperands(v); i < n; i++) {
    LLVMValueRef index = LLVMGetOperand(v, i);
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      LLVMValueRef scalar = LLVMGetTypeKind(LLVMTypeOf(index)) == LLVMVectorTypeKind ? LLVMGetAggregateElement(index, 0) : index;
      unsigned member = (unsigned)LLVMConstIntGetZExtValue(scalar);
      *offset += (int64_t)LLVMOffsetOfElement(l->layout, type, member);
      type = LLVMStructGetTypeAtIndex(type, member);
      continue;
    }
    if (i > 1) type = LLVMGetElementType(type);
    uint64_t k, size = type_of(l, type)->size;
    if (const_integer(index, &k))
      *offset += LLVMConstIntGetSExtValue(index) * (int64_t)size;
    else if (size && nterms == TERMS_MAX)
      lower_fail(l, v, "an address with more than %d computed indices", TERMS_MAX);
    else if (size)
      terms[nterms++] = (struct term){use_slot(f, index) + lane_of(index, lane), scalar_type(l, index)->bits, size};
  }
  return nterms;
}

void emit_gep_lane(struct fn *f, LLVMValueRef v, uint32_t d, uint32_t lane) {
  LLVMValueRef pointer = LLVMGetOperand(v, 0);
  struct term terms[TERMS_MAX];
  int64_t offset = 0;
  uint32_t n = split_gep(f, v, lane, &offset, terms);
  uint64_t ignored, address;
  bool constant = offset && LLVMIsConstant(pointer) && !LLVMIsUndef(pointer) && type_of_value(f->l, pointer)->class == T_POINTER &&
                  !const_thread_local(f->l, pointer, &ignored) && const_slots(f->l, pointer, &address);
  uint32_t base = constant ? constant_slot(f, address + (uint64_t)offset) : use_slot(f, pointer) + lane_of(pointer, lane);
  if (constant) offset = 0;
  for (uint32_t i = 0; i < n; i++) {
    bool last = i + 1 == n && offset == 0;
    uint32_t to = last ? d : temp_slots(f, 1), index = terms[i].slot;
    if (terms[i].bits < 64) index = sign_extended(f, index, terms[i].bits, 64);
    emit_scaled(f, to, base, index, terms[i].scale);
    base = to;
    if (last) return;
  }
  add_offset(f, d, base, offset);
}

void emit_gep(struct fn *f, LLVMValueRef v) { emit_gep_lane(f, v, def_slot(f, v), 0); }

void emit_alloca(struct fn *f, LLVMValueRef v) {
  const struct type_info *t = type_of(f->l, LLVMGetAllocatedType(v));
  uint32_t align = LLVMGetAlignment(v), d = def_slot(f, v);
  uint64_t count;
  if (align < t->align) align = t->align;
  if (const_integer(LLVMGetOperand(v, 0), &count)) {
    unsigned __int128 bytes = (unsigned __int128)t->size * count;
    if (bytes >= 1u << 31) {
      lower_fail(f->l, v, "a stack allocation of more than 2 GiB");
      return;
    }
    emit(f, OP_ALLOCA, d, 0, 0);
    emit_halves(f, bytes ? (uint32_t)bytes : 1, align);
    return;
  }
  uint32_t bytes = temp_slots(f, 1), s = use_slot(f, LLVMGetOperand(v, 0));
  emit(f, OP_MUL64, bytes, s, constant_slot(f, t->size));
  emit(f, OP_ALLOCAX, d, bytes, 0);
  emit_halves(f, 0, align);
}
