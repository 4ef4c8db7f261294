/* Arithmetic, comparisons and casts of scalars; vectors come here lane by lane. */
#include "program/lower/lower.h"

static bool fits16(int64_t k) { return k >= INT16_MIN && k <= INT16_MAX; }

static int64_t sign_extend(uint64_t k, uint32_t bits) { return bits >= 64 ? (int64_t)k : (int64_t)(k << (64 - bits)) >> (64 - bits); }

static void emit_sext(struct fn *f, uint32_t d, uint32_t s, uint32_t from, uint32_t to) {
  if (from == 32 && to == 64)
    emit(f, OP_SEXT32_64, d, s, 0);
  else if (from == 8 && to == 32)
    emit(f, OP_SEXT8_32, d, s, 0);
  else if (from == 16 && to == 32)
    emit(f, OP_SEXT16_32, d, s, 0);
  else if (from == 8 && to == 64)
    emit(f, OP_SEXT8_64, d, s, 0);
  else if (from == 16 && to == 64)
    emit(f, OP_SEXT16_64, d, s, 0);
  else
    emit(f, OP_SEXT, d, s, from | to << 8);
}

uint32_t sign_extended(struct fn *f, uint32_t s, uint32_t bits, uint32_t to) {
  if (bits == to) return s;
  uint32_t d = temp_slots(f, 1);
  emit_sext(f, d, s, bits, to);
  return d;
}

static uint32_t wide_sign_extended(struct fn *f, uint32_t s, uint32_t bits) {
  if (bits == 128) return s;
  uint32_t d = temp_slots(f, 2);
  emit(f, OP_WSEXT, d, s, bits);
  return d;
}

/* Integers ------------------------------------------------------------- */

enum { KEEPS, WRAPS, SIGNED, SIGNED_LEFT }; /* canonical result; needs truncation; and signed operands; signed left operand */

struct integer_op {
  uint16_t op32, op64, wide;
  uint8_t how;
};

static const struct integer_op *integer_op(LLVMOpcode op) {
  static const struct integer_op add = {OP_ADD32, OP_ADD64, OP_WADD, WRAPS}, sub = {OP_SUB32, OP_SUB64, OP_WSUB, WRAPS},
                                 mul = {OP_MUL32, OP_MUL64, OP_WMUL, WRAPS}, udiv = {OP_UDIV32, OP_UDIV64, OP_WUDIV, KEEPS},
                                 sdiv = {OP_SDIV32, OP_SDIV64, OP_WSDIV, SIGNED}, urem = {OP_UREM32, OP_UREM64, OP_WUREM, KEEPS},
                                 srem = {OP_SREM32, OP_SREM64, OP_WSREM, SIGNED}, shl = {OP_SHL32, OP_SHL64, OP_WSHL, WRAPS},
                                 lshr = {OP_LSHR32, OP_LSHR64, OP_WLSHR, KEEPS},
                                 ashr = {OP_ASHR32, OP_ASHR64, OP_WASHR, SIGNED_LEFT}, and = {OP_AND, OP_AND, OP_WAND, KEEPS},
                                 or = {OP_OR, OP_OR, OP_WOR, KEEPS},
                                 xor = {
                                     OP_XOR, OP_XOR, OP_WXOR, KEEPS};
  switch ((int)op) {
    case LLVMAdd:
      return &add;
    case LLVMSub:
      return &sub;
    case LLVMMul:
      return &mul;
    case LLVMUDiv:
      return &udiv;
    case LLVMSDiv:
      return &sdiv;
    case LLVMURem:
      return &urem;
    case LLVMSRem:
      return &srem;
    case LLVMShl:
      return &shl;
    case LLVMLShr:
      return &lshr;
    case LLVMAShr:
      return &ashr;
    case LLVMAnd:
      return &and;
    case LLVMOr:
      return & or ;
    default:
      return &xor;
  }
}

static void wide_lane(struct fn *f, const struct integer_op *o, uint32_t bits, uint32_t d, uint32_t a, uint32_t b) {
  if (o->how >= SIGNED) a = wide_sign_extended(f, a, bits);
  if (o->how == SIGNED) b = wide_sign_extended(f, b, bits);
  emit(f, o->wide, d, a, b);
  if (o->how != KEEPS && bits < 128) emit(f, OP_WTRUNC, d, d, bits);
}

static void integer_lane(struct fn *f, LLVMOpcode op, uint32_t bits, uint32_t d, uint32_t a, uint32_t b) {
  const struct integer_op *o = integer_op(op);
  if (bits > 64) {
    wide_lane(f, o, bits, d, a, b);
    return;
  }
  uint32_t width = bits <= 32 ? 32 : 64;
  if (o->how >= SIGNED) a = sign_extended(f, a, bits, width);
  if (o->how == SIGNED) b = sign_extended(f, b, bits, width);
  emit(f, width == 32 ? o->op32 : o->op64, d, a, b);
  if (o->how != KEEPS && bits < width) emit(f, OP_TRUNC, d, d, bits);
}

/* The forms with an immediate right operand; false if there is none for `k`. */
static bool integer_immediate(struct fn *f, LLVMOpcode op, uint32_t bits, uint32_t d, LLVMValueRef left, uint64_t k) {
  bool narrow = bits <= 32;
  int64_t s = sign_extend(k, bits);
  bool truncate = bits != 32 && bits != 64;
  uint32_t a;
  switch ((int)op) {
    case LLVMAdd:
    case LLVMSub:
      if (op == LLVMSub) s = (int64_t)(0 - (uint64_t)s);
      if (!fits16(s)) return false;
      emit(f, narrow ? OP_ADDI32 : OP_ADDI64, d, use_slot(f, left), (uint16_t)s);
      break;
    case LLVMMul:
      if (!fits16(s)) return false;
      emit(f, narrow ? OP_MULI32 : OP_MULI64, d, use_slot(f, left), (uint16_t)s);
      break;
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
      if (k > UINT16_MAX) return false;
      emit(f, op == LLVMAnd ? OP_ANDI : op == LLVMOr ? OP_ORI : OP_XORI, d, use_slot(f, left), (uint16_t)k);
      return true;
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
      if (k >= bits) return false;
      a = use_slot(f, left);
      if (op == LLVMAShr) a = sign_extended(f, a, bits, narrow ? 32 : 64);
      if (op == LLVMShl)
        emit(f, narrow ? OP_SHLI32 : OP_SHLI64, d, a, (uint16_t)k);
      else if (op == LLVMLShr)
        emit(f, narrow ? OP_LSHRI32 : OP_LSHRI64, d, a, (uint16_t)k);
      else
        emit(f, narrow ? OP_ASHRI32 : OP_ASHRI64, d, a, (uint16_t)k);
      if (op == LLVMLShr) return true;
      break;
    default:
      return false;
  }
  if (truncate) emit(f, OP_TRUNC, d, d, bits);
  return true;
}

/* Floating point ------------------------------------------------------- */

static void floating_lane(struct fn *f, LLVMOpcode op, const struct type_info *t, uint32_t d, uint32_t a, uint32_t b) {
  unsigned k = op == LLVMFAdd ? 0 : op == LLVMFSub ? 1 : op == LLVMFMul ? 2 : op == LLVMFDiv ? 3 : op == LLVMFRem ? 4 : 5;
  unsigned base = t->class == T_FLOAT ? OP_FADD : t->class == T_DOUBLE ? OP_GADD : OP_XADD;
  emit(f, base + k, d, a, k == 5 ? 0 : b);
}

void emit_binary_lane(struct fn *f, LLVMOpcode op, const struct type_info *t, uint32_t d, uint32_t a, uint32_t b) {
  if (t->class == T_INT)
    integer_lane(f, op, t->bits, d, a, b);
  else
    floating_lane(f, op, t, d, a, b);
}

static bool commutes(LLVMOpcode op) { return op == LLVMAdd || op == LLVMMul || op == LLVMAnd || op == LLVMOr || op == LLVMXor; }

void emit_binary(struct fn *f, LLVMValueRef v, LLVMOpcode op) {
  const struct type_info *t = type_of_value(f->l, v);
  LLVMValueRef left = LLVMGetOperand(v, 0), right = op == LLVMFNeg ? left : LLVMGetOperand(v, 1);
  uint64_t k;
  if (t->class == T_INT && t->bits > 128) {
    emit_wide_binary(f, v, op);
    return;
  }
  if (commutes(op) && const_integer(left, &k)) {
    LLVMValueRef other = left;
    left = right, right = other;
  }
  uint32_t d = def_slot(f, v);
  if (t->class == T_INT && t->bits <= 64 && const_integer(right, &k) && integer_immediate(f, op, t->bits, d, left, k)) return;
  uint32_t a = use_slot(f, left), b = use_slot(f, right);
  emit_binary_lane(f, op, t, d, a, b);
}

/* Comparisons ---------------------------------------------------------- */

static LLVMIntPredicate swapped(LLVMIntPredicate p) {
  switch (p) {
    case LLVMIntUGT:
      return LLVMIntULT;
    case LLVMIntUGE:
      return LLVMIntULE;
    case LLVMIntULT:
      return LLVMIntUGT;
    case LLVMIntULE:
      return LLVMIntUGE;
    case LLVMIntSGT:
      return LLVMIntSLT;
    case LLVMIntSGE:
      return LLVMIntSLE;
    case LLVMIntSLT:
      return LLVMIntSGT;
    case LLVMIntSLE:
      return LLVMIntSGE;
    case LLVMIntEQ:
    case LLVMIntNE:
      return p;
  }
  return p;
}

static LLVMIntPredicate inverted(LLVMIntPredicate p) {
  switch (p) {
    case LLVMIntEQ:
      return LLVMIntNE;
    case LLVMIntNE:
      return LLVMIntEQ;
    case LLVMIntUGT:
      return LLVMIntULE;
    case LLVMIntUGE:
      return LLVMIntULT;
    case LLVMIntULT:
      return LLVMIntUGE;
    case LLVMIntULE:
      return LLVMIntUGT;
    case LLVMIntSGT:
      return LLVMIntSLE;
    case LLVMIntSGE:
      return LLVMIntSLT;
    case LLVMIntSLT:
      return LLVMIntSGE;
    case LLVMIntSLE:
      return LLVMIntSGT;
  }
  return p;
}

static bool is_signed(LLVMIntPredicate p) { return p >= LLVMIntSGT && p <= LLVMIntSLE; }

/* Between slots; signed ones are extended to `width` already. */
static struct compare register_form(LLVMIntPredicate p, uint32_t width, uint32_t a, uint32_t b) {
  bool narrow = width == 32;
  switch (p) {
    case LLVMIntEQ:
      return (struct compare){OP_EQ, a, b};
    case LLVMIntNE:
      return (struct compare){OP_NE, a, b};
    case LLVMIntULT:
      return (struct compare){OP_ULT, a, b};
    case LLVMIntULE:
      return (struct compare){OP_ULE, a, b};
    case LLVMIntUGT:
      return (struct compare){OP_ULT, b, a};
    case LLVMIntUGE:
      return (struct compare){OP_ULE, b, a};
    case LLVMIntSLT:
      return (struct compare){narrow ? OP_SLT32 : OP_SLT64, a, b};
    case LLVMIntSLE:
      return (struct compare){narrow ? OP_SLE32 : OP_SLE64, a, b};
    case LLVMIntSGT:
      return (struct compare){narrow ? OP_SLT32 : OP_SLT64, b, a};
    case LLVMIntSGE:
      return (struct compare){narrow ? OP_SLE32 : OP_SLE64, b, a};
  }
  return (struct compare){OP_EQ, a, b};
}

/* The operation and operand of "compare with constant k", if there is one; a's slot is filled in by the caller. */
static bool immediate_form(LLVMIntPredicate p, uint32_t width, uint64_t k, uint32_t bits, struct compare *out) {
  bool narrow = width == 32;
  int64_t s = sign_extend(k, bits);
  if (p == LLVMIntULE && k < UINT16_MAX) p = LLVMIntULT, k++;
  if (p == LLVMIntUGE && k > 0) p = LLVMIntUGT, k--;
  if (p == LLVMIntSLE && s < INT16_MAX) p = LLVMIntSLT, s++;
  if (p == LLVMIntSGE && s > INT16_MIN) p = LLVMIntSGT, s--;
  out->b = is_signed(p) ? (uint16_t)s : (uint16_t)k;
  if (is_signed(p) ? !fits16(s) : k > UINT16_MAX) return false;
  switch (p) {
    case LLVMIntEQ:
      out->op = OP_EQI;
      return true;
    case LLVMIntNE:
      out->op = OP_NEI;
      return true;
    case LLVMIntULT:
      out->op = OP_ULTI;
      return true;
    case LLVMIntUGT:
      out->op = OP_UGTI;
      return true;
    case LLVMIntSLT:
      out->op = narrow ? OP_SLTI32 : OP_SLTI64;
      return true;
    case LLVMIntSGT:
      out->op = narrow ? OP_SGTI32 : OP_SGTI64;
      return true;
    case LLVMIntULE:
    case LLVMIntUGE:
    case LLVMIntSLE:
    case LLVMIntSGE:
      return false;
  }
  return false;
}

struct compare compare_form(struct fn *f, LLVMValueRef v, bool invert) {
  LLVMIntPredicate p = LLVMGetICmpPredicate(v);
  LLVMValueRef left = LLVMGetOperand(v, 0), right = LLVMGetOperand(v, 1);
  uint32_t bits = type_of_value(f->l, left)->bits, width = bits <= 32 ? 32 : 64;
  struct compare c;
  uint64_t k;
  if (invert) p = inverted(p);
  if (const_integer(left, &k)) {
    LLVMValueRef other = left;
    left = right, right = other, p = swapped(p);
  }
  uint32_t a = use_slot(f, left);
  if (is_signed(p)) a = sign_extended(f, a, bits, width);
  c.a = a;
  if (const_integer(right, &k)) {
    if (immediate_form(p, width, k, bits, &c)) return c;
    uint64_t extended = is_signed(p) ? (uint64_t)sign_extend(k, bits) : k;
    if (is_signed(p) && width == 32) extended = (uint32_t)extended;
    return register_form(p, width, a, constant_slot(f, extended));
  }
  uint32_t b = use_slot(f, right);
  if (is_signed(p)) b = sign_extended(f, b, bits, width);
  return register_form(p, width, a, b);
}

static void wide_compare(struct fn *f, LLVMIntPredicate p, uint32_t bits, uint32_t d, uint32_t a, uint32_t b) {
  if (is_signed(p)) a = wide_sign_extended(f, a, bits), b = wide_sign_extended(f, b, bits);
  if (p == LLVMIntUGT || p == LLVMIntUGE || p == LLVMIntSGT || p == LLVMIntSGE) {
    uint32_t other = a;
    a = b, b = other, p = swapped(p);
  }
  unsigned op = p == LLVMIntEQ    ? OP_WEQ
                : p == LLVMIntNE  ? OP_WNE
                : p == LLVMIntULT ? OP_WULT
                : p == LLVMIntULE ? OP_WULE
                : p == LLVMIntSLT ? OP_WSLT
                                  : OP_WSLE;
  emit(f, op, d, a, b);
}

static void floating_compare(struct fn *f, LLVMRealPredicate p, const struct type_info *t, uint32_t d, uint32_t a, uint32_t b) {
  static const struct {
    uint8_t op, swap; /* distance from FOEQ */
  } forms[] = {
      [LLVMRealOEQ] = {0, 0}, [LLVMRealONE] = {1, 0}, [LLVMRealOLT] = {2, 0}, [LLVMRealOLE] = {3, 0}, [LLVMRealORD] = {4, 0},
      [LLVMRealUEQ] = {5, 0}, [LLVMRealUNE] = {6, 0}, [LLVMRealULT] = {7, 0}, [LLVMRealULE] = {8, 0}, [LLVMRealUNO] = {9, 0},
      [LLVMRealOGT] = {2, 1}, [LLVMRealOGE] = {3, 1}, [LLVMRealUGT] = {7, 1}, [LLVMRealUGE] = {8, 1},
  };
  if (p == LLVMRealPredicateFalse || p == LLVMRealPredicateTrue) {
    emit_load_constant(f, d, p == LLVMRealPredicateTrue ? 1 : 0);
  } else if (t->class == T_X87) {
    emit(f, OP_XCMP, d, a, b);
    emit_word(f, (uint64_t)p);
  } else {
    bool swap = forms[p].swap;
    emit(f, (unsigned)(t->class == T_FLOAT ? OP_FOEQ : OP_GOEQ) + forms[p].op, d, swap ? b : a, swap ? a : b);
  }
}

void emit_compare_lane(struct fn *f, LLVMValueRef v, const struct type_info *t, uint32_t d, uint32_t a, uint32_t b) {
  if (LLVMGetInstructionOpcode(v) == LLVMFCmp) {
    floating_compare(f, LLVMGetFCmpPredicate(v), t, d, a, b);
    return;
  }
  LLVMIntPredicate p = LLVMGetICmpPredicate(v);
  if (t->bits > 64) {
    wide_compare(f, p, t->bits, d, a, b);
    return;
  }
  uint32_t width = t->bits <= 32 ? 32 : 64;
  if (is_signed(p)) a = sign_extended(f, a, t->bits, width), b = sign_extended(f, b, t->bits, width);
  struct compare c = register_form(p, width, a, b);
  emit(f, c.op, d, c.a, c.b);
}

void emit_compare(struct fn *f, LLVMValueRef v, LLVMOpcode op) {
  const struct type_info *t = type_of_value(f->l, LLVMGetOperand(v, 0));
  if (t->class == T_INT && t->bits > 128) {
    emit_wide_compare(f, v);
    return;
  }
  uint32_t d = def_slot(f, v);
  if (op == LLVMICmp && is_integer_compare(v)) {
    struct compare c = compare_form(f, v, false);
    emit(f, c.op, d, c.a, c.b);
    return;
  }
  uint32_t a = use_slot(f, LLVMGetOperand(v, 0)), b = use_slot(f, LLVMGetOperand(v, 1));
  emit_compare_lane(f, v, t, d, a, b);
}

/* Casts ---------------------------------------------------------------- */

static void integer_cast(struct fn *f, LLVMOpcode op, uint32_t from, uint32_t to, uint32_t d, uint32_t s) {
  if (op == LLVMTrunc || op == LLVMPtrToInt || op == LLVMIntToPtr) {
    if (to < 64 && from > to)
      emit(f, OP_TRUNC, d, s, to);
    else if (to <= 64)
      emit_copy(f, d, s, 1);
    else if (from > 64)
      emit(f, OP_WTRUNC, d, s, to);
    else
      integer_cast(f, LLVMZExt, from, to, d, s);
  } else if (op == LLVMZExt) {
    emit_copy(f, d, s, from > 64 ? 2 : 1);
    if (from <= 64 && to > 64) emit(f, OP_LI, d + 1, 0, 0);
  } else if (to <= 64) {
    emit_sext(f, d, s, from, to);
  } else {
    emit(f, OP_WSEXT, d, s, from);
    if (to < 128) emit(f, OP_WTRUNC, d, d, to);
  }
}

static void floating_cast(struct fn *f, enum type_class from, enum type_class to, uint32_t d, uint32_t s) {
  static const uint16_t ops[3][3] = {{0, OP_F2G, OP_F2X}, {OP_G2F, 0, OP_G2X}, {OP_X2F, OP_X2G, 0}};
  unsigned op = ops[from - T_FLOAT][to - T_FLOAT];
  if (op)
    emit(f, op, d, s, 0);
  else
    emit_copy(f, d, s, from == T_X87 ? 2 : 1);
}

static void to_integer(struct fn *f, bool sign, enum type_class from, uint32_t bits, uint32_t d, uint32_t s) {
  static const uint16_t narrow[2][3] = {{OP_F2U, OP_G2U, OP_X2U}, {OP_F2S, OP_G2S, OP_X2S}};
  static const uint16_t wide[2][3] = {{CONV_F2V, CONV_G2V, CONV_X2V}, {CONV_F2W, CONV_G2W, CONV_X2W}};
  if (bits <= 64) {
    emit(f, narrow[sign][from - T_FLOAT], d, s, bits);
    return;
  }
  emit(f, OP_WCONV, d, s, wide[sign][from - T_FLOAT]);
  if (bits < 128) emit(f, OP_WTRUNC, d, d, bits);
}

static void from_integer(struct fn *f, bool sign, uint32_t bits, enum type_class to, uint32_t d, uint32_t s) {
  static const uint16_t narrow[2][3] = {{OP_U2F, OP_U2G, OP_U2X}, {OP_S2F, OP_S2G, OP_S2X}};
  static const uint16_t wide[2][3] = {{CONV_V2F, CONV_V2G, CONV_V2X}, {CONV_W2F, CONV_W2G, CONV_W2X}};
  if (bits <= 64)
    emit(f, narrow[sign][to - T_FLOAT], d, sign ? sign_extended(f, s, bits, 64) : s, 0);
  else
    emit(f, OP_WCONV, d, sign ? wide_sign_extended(f, s, bits) : s, wide[sign][to - T_FLOAT]);
}

void emit_cast_lane(struct fn *f, LLVMOpcode op, const struct type_info *from, const struct type_info *to, uint32_t d, uint32_t s) {
  switch ((int)op) {
    case LLVMFPTrunc:
    case LLVMFPExt:
      floating_cast(f, from->class, to->class, d, s);
      return;
    case LLVMFPToSI:
    case LLVMFPToUI:
      to_integer(f, op == LLVMFPToSI, from->class, to->bits, d, s);
      return;
    case LLVMSIToFP:
    case LLVMUIToFP:
      from_integer(f, op == LLVMSIToFP, from->bits, to->class, d, s);
      return;
    case LLVMAddrSpaceCast:
    case LLVMBitCast:
      emit_copy(f, d, s, to->slots);
      return;
    default:
      integer_cast(f, op, from->bits, to->bits, d, s);
  }
}

void emit_cast(struct fn *f, LLVMValueRef v, LLVMOpcode op) {
  LLVMValueRef operand = LLVMGetOperand(v, 0);
  const struct type_info *from = type_of_value(f->l, operand), *to = type_of_value(f->l, v);
  uint32_t s = use_slot(f, operand), d = def_slot(f, v);
  bool wide = from->bits > 128 || to->bits > 128;
  if (!wide)
    emit_cast_lane(f, op, from, to, d, s);
  else if (from->class == T_INT && to->class == T_INT)
    emit_wide_cast(f, op, from->bits, to->bits, d, s);
  else
    lower_fail(f->l, v, "converting integers of more than 128 bits");
}

/* Selection ------------------------------------------------------------ */

void emit_select_slots(struct fn *f, uint32_t d, uint32_t condition, uint32_t yes, uint32_t no, uint32_t n) {
  if (n == 0) return;
  if (n == 1) {
    emit(f, OP_SELECT, d, condition, yes);
    emit_halves(f, no, 0);
  } else {
    emit(f, OP_SELECTN, d, condition, yes);
    emit_halves(f, no, n);
  }
}

void emit_select(struct fn *f, LLVMValueRef v) {
  const struct type_info *t = type_of_value(f->l, v);
  LLVMValueRef yes = LLVMGetOperand(v, 1), no = LLVMGetOperand(v, 2);
  uint32_t condition = use_slot(f, LLVMGetOperand(v, 0)), d = def_slot(f, v);
  uint64_t k;
  if (t->class == T_INT && t->bits == 1 && const_integer(no, &k) && k == 0)
    emit(f, OP_AND, d, condition, use_slot(f, yes));
  else if (t->class == T_INT && t->bits == 1 && const_integer(yes, &k) && k == 1)
    emit(f, OP_OR, d, condition, use_slot(f, no));
  else
    emit_select_slots(f, d, condition, use_slot(f, yes), use_slot(f, no), t->slots);
}
