/* Vectors, element by element over consecutive slots, and aggregates as values. */
#include "program/lower/lower.h"

static void emit_shuffle(struct fn *f, LLVMValueRef v) {
  LLVMValueRef left = LLVMGetOperand(v, 0), right = LLVMGetOperand(v, 1);
  const struct type_info *from = type_of_value(f->l, left);
  uint32_t n = from->element->slots, a = use_slot_or_zero(f, left), b = use_slot_or_zero(f, right), d = def_slot(f, v);
  for (uint32_t i = 0, count = LLVMGetNumMaskElements(v); i < count; i++) {
    int k = LLVMGetMaskValue(v, i);
    if (k == LLVMGetUndefMaskElem()) k = 0;
    uint32_t lane = (uint32_t)k;
    emit_copy(f, d + i * n, lane < from->count ? a + lane * n : b + (lane - from->count) * n, n);
  }
}

/* Does the value keep its operand's slots (and changes them in place)? Else they are copied first. */
static uint32_t start_insert(struct fn *f, LLVMValueRef v, const struct type_info *t) {
  uint32_t d = def_slot(f, v);
  emit_copy(f, d, use_slot_or_zero(f, LLVMGetOperand(v, 0)), t->slots);
  return d;
}

static void emit_insert_element(struct fn *f, LLVMValueRef v) {
  const struct type_info *t = type_of_value(f->l, v);
  LLVMValueRef index = LLVMGetOperand(v, 2);
  uint32_t element = use_slot(f, LLVMGetOperand(v, 1)), d = start_insert(f, v, t), n = t->element->slots;
  uint64_t k;
  if (!const_integer(index, &k)) {
    emit(f, OP_INSERTX, d, element, use_slot(f, index));
    emit_halves(f, n, t->count);
  } else if (k < t->count) {
    emit_copy(f, d + (uint32_t)k * n, element, n);
  }
}

static void emit_extract_element(struct fn *f, LLVMValueRef v) {
  const struct type_info *t = type_of_value(f->l, LLVMGetOperand(v, 0));
  LLVMValueRef index = LLVMGetOperand(v, 1);
  uint32_t s = use_slot(f, LLVMGetOperand(v, 0)), d = def_slot(f, v), n = t->element->slots;
  uint64_t k;
  if (!const_integer(index, &k)) {
    emit(f, OP_EXTRACTX, d, s, use_slot(f, index));
    emit_halves(f, n, t->count);
  } else {
    emit_copy(f, d, s + (k < t->count ? (uint32_t)k * n : 0), n);
  }
}

static void emit_vector_bitcast(struct fn *f, LLVMValueRef v) {
  LLVMValueRef operand = LLVMGetOperand(v, 0);
  const struct type_info *from = type_of_value(f->l, operand), *to = type_of_value(f->l, v);
  uint32_t s = use_slot(f, operand), in = type_layout(f->l, from), out = type_layout(f->l, to);
  emit(f, OP_PACK, def_slot(f, v), s, 0);
  emit_halves(f, in, out);
}

static void emit_vector_select(struct fn *f, LLVMValueRef v) {
  const struct type_info *t = type_of_value(f->l, v);
  uint32_t c = use_slot(f, LLVMGetOperand(v, 0)), yes = use_slot(f, LLVMGetOperand(v, 1)), no = use_slot(f, LLVMGetOperand(v, 2));
  uint32_t d = def_slot(f, v), n = t->element->slots;
  for (uint32_t i = 0; i < t->count; i++) emit_select_slots(f, d + i * n, c + i, yes + i * n, no + i * n, n);
}

static void emit_vector_cast(struct fn *f, LLVMValueRef v, LLVMOpcode op) {
  LLVMValueRef operand = LLVMGetOperand(v, 0);
  const struct type_info *from = type_of_value(f->l, operand)->element, *to = type_of_value(f->l, v)->element;
  uint32_t s = use_slot(f, operand), d = def_slot(f, v), count = type_of_value(f->l, v)->count;
  for (uint32_t i = 0; i < count; i++) emit_cast_lane(f, op, from, to, d + i * to->slots, s + i * from->slots);
}

static void emit_vector_lanes(struct fn *f, LLVMValueRef v, LLVMOpcode op) {
  const struct type_info *t = type_of_value(f->l, LLVMGetOperand(v, 0)), *e = t->element;
  uint32_t a = use_slot(f, LLVMGetOperand(v, 0)), b = op == LLVMFNeg ? a : use_slot(f, LLVMGetOperand(v, 1)), d = def_slot(f, v),
           n = e->slots;
  bool compare = op == LLVMICmp || op == LLVMFCmp;
  for (uint32_t i = 0; i < t->count; i++)
    if (compare)
      emit_compare_lane(f, v, e, d + i, a + i * n, b + i * n);
    else
      emit_binary_lane(f, op, e, d + i * n, a + i * n, b + i * n);
}

void emit_vector(struct fn *f, LLVMValueRef v, LLVMOpcode op) {
  const struct type_info *t = type_of_value(f->l, v);
  switch ((int)op) {
    case LLVMShuffleVector:
      emit_shuffle(f, v);
      return;
    case LLVMInsertElement:
      emit_insert_element(f, v);
      return;
    case LLVMExtractElement:
      emit_extract_element(f, v);
      return;
    case LLVMSelect:
      emit_vector_select(f, v);
      return;
    case LLVMBitCast:
      emit_vector_bitcast(f, v);
      return;
    case LLVMGetElementPtr: {
      uint32_t d = def_slot(f, v);
      for (uint32_t i = 0; i < t->count; i++) emit_gep_lane(f, v, d + i, i);
      return;
    }
    default:
      break;
  }
  if ((op >= LLVMTrunc && op <= LLVMIntToPtr) || op == LLVMAddrSpaceCast)
    emit_vector_cast(f, v, op);
  else if ((op >= LLVMAdd && op <= LLVMXor) || op == LLVMFNeg || op == LLVMICmp || op == LLVMFCmp)
    emit_vector_lanes(f, v, op);
  else
    lower_fail(f->l, v, "this instruction on vectors");
}

void emit_aggregate(struct fn *f, LLVMValueRef v, LLVMOpcode op) {
  const struct type_info *t = type_of_value(f->l, LLVMGetOperand(v, 0)), *e = t;
  uint32_t shift = 0, slot;
  uint64_t offset;
  for (unsigned i = 0; i < LLVMGetNumIndices(v); i++) e = type_element(f->l, e, LLVMGetIndices(v)[i], &slot, &offset), shift += slot;
  if (op == LLVMExtractValue) {
    emit_copy(f, def_slot(f, v), use_slot(f, LLVMGetOperand(v, 0)) + shift, e->slots);
    return;
  }
  uint32_t element = use_slot(f, LLVMGetOperand(v, 1)), d = start_insert(f, v, t);
  emit_copy(f, d + shift, element, e->slots);
}
