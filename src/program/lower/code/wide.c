/* Integers of more than 128 bits. C programs have none, but clang reads and writes a run of neighbouring bit-fields as one integer of any
 * width: what it then does with it is masking, shifting by constants and truncating, word by word here. */
#include "program/lower/lower.h"

#define WORDS_MAX 256

static uint32_t words_of(uint32_t bits) { return (bits + 63) / 64; }

void wide_mask(struct fn *f, uint32_t d, uint32_t bits) {
  uint32_t top = bits % 64;
  if (top) emit(f, OP_TRUNC, d + bits / 64, d + bits / 64, top);
}

/* d[i] = words i + k and i + k + 1 of s taken together and shifted right by `bits`; `fill` stands for the words behind the last. */
static void right_word(struct fn *f, uint32_t d, uint32_t s, uint32_t n, uint32_t i, uint32_t bits, uint32_t fill) {
  uint32_t low = i < n ? s + i : fill, high = i + 1 < n ? s + i + 1 : fill;
  if (bits == 0) {
    emit_copy(f, d, low, 1);
    return;
  }
  uint32_t t = temp_slots(f, 1);
  emit(f, OP_LSHRI64, t, low, bits);
  emit(f, OP_SHLI64, d, high, 64 - bits);
  emit(f, OP_OR, d, d, t);
}

static void shift_right(struct fn *f, bool sign, uint32_t bits, uint32_t d, uint32_t s, uint64_t k) {
  uint32_t n = words_of(bits), fill = constant_slot(f, 0);
  if (sign) {
    uint32_t extended = temp_slots(f, n);
    emit_copy(f, extended, s, n);
    if (bits % 64) emit(f, OP_SEXT, extended + n - 1, extended + n - 1, bits % 64 | 64u << 8);
    fill = temp_slots(f, 1);
    emit(f, OP_ASHRI64, fill, extended + n - 1, 63);
    s = extended;
  }
  for (uint32_t i = 0; i < n; i++) right_word(f, d + i, s, n, i + (uint32_t)(k / 64), (uint32_t)(k % 64), fill);
  if (sign) wide_mask(f, d, bits);
}

static void shift_left(struct fn *f, uint32_t bits, uint32_t d, uint32_t s, uint64_t k) {
  uint32_t n = words_of(bits), words = (uint32_t)(k / 64), rest = (uint32_t)(k % 64), zero = constant_slot(f, 0);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t high = i >= words ? s + i - words : zero, low = i >= words + 1 ? s + i - words - 1 : zero;
    if (rest == 0) {
      emit_copy(f, d + i, high, 1);
      continue;
    }
    uint32_t t = temp_slots(f, 1);
    emit(f, OP_LSHRI64, t, low, 64 - rest);
    emit(f, OP_SHLI64, d + i, high, rest);
    emit(f, OP_OR, d + i, d + i, t);
  }
  wide_mask(f, d, bits);
}

void emit_wide_binary(struct fn *f, LLVMValueRef v, LLVMOpcode op) {
  LLVMValueRef right = LLVMGetOperand(v, 1);
  uint32_t bits = type_of_value(f->l, v)->bits, n = words_of(bits);
  uint32_t d = def_slot(f, v), a = use_slot(f, LLVMGetOperand(v, 0)), b = use_slot(f, right);
  uint64_t amount[WORDS_MAX] = {0};
  if (op == LLVMAnd || op == LLVMOr || op == LLVMXor) {
    unsigned word = op == LLVMAnd ? OP_AND : op == LLVMOr ? OP_OR : OP_XOR;
    for (uint32_t i = 0; i < n; i++) emit(f, word, d + i, a + i, b + i);
    return;
  }
  bool shift = op == LLVMShl || op == LLVMLShr || op == LLVMAShr;
  if (!shift || !LLVMIsConstant(right) || n > WORDS_MAX || !const_slots(f->l, right, amount) || amount[0] >= bits)
    lower_fail(f->l, v, "arithmetic on integers of more than 128 bits");
  else if (op == LLVMShl)
    shift_left(f, bits, d, a, amount[0]);
  else
    shift_right(f, op == LLVMAShr, bits, d, a, amount[0]);
}

static void fill_words(struct fn *f, uint32_t d, uint32_t from, uint32_t to, uint32_t fill) {
  for (uint32_t i = from; i < to; i++) emit_copy(f, d + i, fill, 1);
}

static void wide_sext(struct fn *f, uint32_t from, uint32_t to, uint32_t d, uint32_t s) {
  uint32_t have = words_of(from), top = d + have - 1, fill = temp_slots(f, 1);
  emit_copy(f, d, s, have);
  if (from % 64) emit(f, OP_SEXT, top, top, from % 64 | 64u << 8);
  emit(f, OP_ASHRI64, fill, top, 63);
  fill_words(f, d, have, words_of(to), fill);
  wide_mask(f, d, to);
}

void emit_wide_cast(struct fn *f, LLVMOpcode op, uint32_t from, uint32_t to, uint32_t d, uint32_t s) {
  uint32_t have = words_of(from), want = words_of(to);
  if (op == LLVMSExt) {
    wide_sext(f, from, to, d, s);
  } else if (op == LLVMZExt) {
    emit_copy(f, d, s, have);
    fill_words(f, d, have, want, constant_slot(f, 0));
  } else {
    emit_copy(f, d, s, want);
    wide_mask(f, d, to);
  }
}

void emit_wide_compare(struct fn *f, LLVMValueRef v) {
  LLVMIntPredicate p = LLVMGetICmpPredicate(v);
  uint32_t n = words_of(type_of_value(f->l, LLVMGetOperand(v, 0))->bits);
  uint32_t a = use_slot(f, LLVMGetOperand(v, 0)), b = use_slot(f, LLVMGetOperand(v, 1)), all = temp_slots(f, 1), t = temp_slots(f, 1);
  if (p != LLVMIntEQ && p != LLVMIntNE) {
    lower_fail(f->l, v, "comparing integers of more than 128 bits");
    return;
  }
  emit(f, OP_XOR, all, a, b);
  for (uint32_t i = 1; i < n; i++) {
    emit(f, OP_XOR, t, a + i, b + i);
    emit(f, OP_OR, all, all, t);
  }
  emit(f, p == LLVMIntEQ ? OP_EQI : OP_NEI, def_slot(f, v), all, 0);
}
