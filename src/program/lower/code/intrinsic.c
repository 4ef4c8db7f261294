/* LLVM's intrinsic functions: one table, a few ways to expand a row. */
#include <string.h>

#include "program/lower/lower.h"
#include "trace/event.h"

enum way {
  NOTHING, /* no code */
  ALIAS,   /* its value is its first operand */
  UNARY,   /* INTR of 1, 2, 3 operands, lane by lane, at the width of the result */
  BINARY,
  TERNARY,
  MULADD,
  BY_SOURCE, /* INTR of one operand, at the operand's width */
  OVERFLOWS, /* INTR with two results */
  SATURATES, /* float to integer */
  WITH_INT,  /* INTR whose second operand is an integer */
  SPLITS,    /* frexp */
  CLASS,     /* is.fpclass */
  PLAIN,     /* INTR of all operands, width 64 */
  COPY,      /* MEMCPY and so on, `what` is the opcode */
  LIFE,      /* `what`: 1 start, 0 end */
  CONSTANT,  /* is the constant `what` */
  OBJECTSIZE,
  STACK_SAVE,
  STACK_RESTORE,
  VA_START,
  VA_COPY,
  TYPE_ID,
  THREAD_LOCAL,
  YIELD,
  CYCLES,
  BARRIER,
  LOAD_RELATIVE,
  MASK_POINTER,
  REDUCE, /* `what`: LLVM opcode */
  REDUCE_START,
  REDUCE_INTR,
  THREE_WAY, /* `what`: 1 signed */
  STRICT     /* constrained floating point: `what`: LLVM opcode */
};

struct row {
  const char *name; /* behind "llvm.", up to the overloads */
  uint8_t way;
  uint16_t what;
};

static const struct row rows[] = {
    {"dbg.", NOTHING, 0},
    {"assume", NOTHING, 0},
    {"donothing", NOTHING, 0},
    {"sideeffect", NOTHING, 0},
    {"var.annotation", NOTHING, 0},
    {"prefetch", NOTHING, 0},
    {"experimental.noalias.scope.decl", NOTHING, 0},
    {"invariant.start", CONSTANT, 0},
    {"invariant.end", NOTHING, 0},
    {"va_end", NOTHING, 0},
    {"pseudoprobe", NOTHING, 0},
    {"fake.use", NOTHING, 0},
    {"expect", ALIAS, 0},
    {"expect.with.probability", ALIAS, 0},
    {"annotation", ALIAS, 0},
    {"ptr.annotation", ALIAS, 0},
    {"launder.invariant.group", ALIAS, 0},
    {"strip.invariant.group", ALIAS, 0},
    {"ssa.copy", ALIAS, 0},
    {"arithmetic.fence", ALIAS, 0},
    {"canonicalize", ALIAS, 0},
    {"preserve.array.access.index", ALIAS, 0},
    {"preserve.struct.access.index", ALIAS, 0},
    {"preserve.union.access.index", ALIAS, 0},
    {"ctpop", UNARY, INTR_CTPOP},
    {"ctlz", UNARY, INTR_CTLZ},
    {"cttz", UNARY, INTR_CTTZ},
    {"bswap", UNARY, INTR_BSWAP},
    {"bitreverse", UNARY, INTR_BITREVERSE},
    {"abs", UNARY, INTR_ABS},
    {"fshl", TERNARY, INTR_FSHL},
    {"fshr", TERNARY, INTR_FSHR},
    {"smax", BINARY, INTR_SMAX},
    {"smin", BINARY, INTR_SMIN},
    {"umax", BINARY, INTR_UMAX},
    {"umin", BINARY, INTR_UMIN},
    {"sadd.with.overflow", OVERFLOWS, INTR_SADD_OVERFLOW},
    {"uadd.with.overflow", OVERFLOWS, INTR_UADD_OVERFLOW},
    {"ssub.with.overflow", OVERFLOWS, INTR_SSUB_OVERFLOW},
    {"usub.with.overflow", OVERFLOWS, INTR_USUB_OVERFLOW},
    {"smul.with.overflow", OVERFLOWS, INTR_SMUL_OVERFLOW},
    {"umul.with.overflow", OVERFLOWS, INTR_UMUL_OVERFLOW},
    {"sadd.sat", BINARY, INTR_SADD_SAT},
    {"uadd.sat", BINARY, INTR_UADD_SAT},
    {"ssub.sat", BINARY, INTR_SSUB_SAT},
    {"usub.sat", BINARY, INTR_USUB_SAT},
    {"sshl.sat", BINARY, INTR_SSHL_SAT},
    {"ushl.sat", BINARY, INTR_USHL_SAT},
    {"scmp", THREE_WAY, 1},
    {"ucmp", THREE_WAY, 0},
    {"fptosi.sat", SATURATES, 1},
    {"fptoui.sat", SATURATES, 0},
    {"sqrt", UNARY, INTR_SQRT},
    {"fabs", UNARY, INTR_FABS},
    {"copysign", BINARY, INTR_COPYSIGN},
    {"floor", UNARY, INTR_FLOOR},
    {"ceil", UNARY, INTR_CEIL},
    {"trunc", UNARY, INTR_FTRUNC},
    {"rint", UNARY, INTR_RINT},
    {"nearbyint", UNARY, INTR_NEARBYINT},
    {"round", UNARY, INTR_ROUND},
    {"roundeven", UNARY, INTR_ROUNDEVEN},
    {"fma", TERNARY, INTR_FMA},
    {"fmuladd", MULADD, INTR_FMULADD},
    {"minnum", BINARY, INTR_MINNUM},
    {"maxnum", BINARY, INTR_MAXNUM},
    {"minimum", BINARY, INTR_MINIMUM},
    {"maximum", BINARY, INTR_MAXIMUM},
    {"sin", UNARY, INTR_SIN},
    {"cos", UNARY, INTR_COS},
    {"tan", UNARY, INTR_TAN},
    {"exp", UNARY, INTR_EXP},
    {"exp2", UNARY, INTR_EXP2},
    {"exp10", UNARY, INTR_EXP10},
    {"log", UNARY, INTR_LOG},
    {"log2", UNARY, INTR_LOG2},
    {"log10", UNARY, INTR_LOG10},
    {"pow", BINARY, INTR_POW},
    {"powi", WITH_INT, INTR_POWI},
    {"ldexp", WITH_INT, INTR_LDEXP},
    {"frexp", SPLITS, INTR_FREXP},
    {"lround", BY_SOURCE, INTR_LROUND},
    {"llround", BY_SOURCE, INTR_LLROUND},
    {"lrint", BY_SOURCE, INTR_LRINT},
    {"llrint", BY_SOURCE, INTR_LLRINT},
    {"is.fpclass", CLASS, INTR_FPCLASS},
    {"get.rounding", PLAIN, INTR_FLT_ROUNDS},
    {"flt.rounds", PLAIN, INTR_FLT_ROUNDS},
    {"readcyclecounter", CYCLES, 0},
    {"readsteadycounter", CYCLES, 0},
    {"returnaddress", PLAIN, INTR_RETURNADDRESS},
    {"frameaddress", PLAIN, INTR_FRAMEADDRESS},
    {"trap", PLAIN, INTR_TRAP},
    {"ubsantrap", PLAIN, INTR_TRAP},
    {"debugtrap", PLAIN, INTR_DEBUGTRAP},
    {"memcpy", COPY, OP_MEMCPY},
    {"memcpy.inline", COPY, OP_MEMCPY},
    {"memmove", COPY, OP_MEMMOVE},
    {"memset", COPY, OP_MEMSET},
    {"memset.inline", COPY, OP_MEMSET},
    {"lifetime.start", LIFE, 1},
    {"lifetime.end", LIFE, 0},
    {"objectsize", OBJECTSIZE, 0},
    {"is.constant", CONSTANT, 0},
    {"allow.runtime.check", CONSTANT, 1},
    {"allow.ubsan.check", CONSTANT, 1},
    {"type.test", CONSTANT, 1},
    {"public.type.test", CONSTANT, 1},
    {"stacksave", STACK_SAVE, 0},
    {"stackrestore", STACK_RESTORE, 0},
    {"va_start", VA_START, 0},
    {"va_copy", VA_COPY, 0},
    {"eh.typeid.for", TYPE_ID, 0},
    {"threadlocal.address", THREAD_LOCAL, 0},
    {"x86.sse2.pause", YIELD, 0},
    {"x86.sse2.mfence", BARRIER, ORDER_SEQ_CST},
    {"x86.sse2.lfence", BARRIER, ORDER_ACQUIRE},
    {"x86.sse.sfence", BARRIER, ORDER_RELEASE},
    {"load.relative", LOAD_RELATIVE, 0},
    {"ptrmask", MASK_POINTER, 0},
    {"vector.reduce.add", REDUCE, LLVMAdd},
    {"vector.reduce.mul", REDUCE, LLVMMul},
    {"vector.reduce.and", REDUCE, LLVMAnd},
    {"vector.reduce.or", REDUCE, LLVMOr},
    {"vector.reduce.xor", REDUCE, LLVMXor},
    {"vector.reduce.fadd", REDUCE_START, LLVMFAdd},
    {"vector.reduce.fmul", REDUCE_START, LLVMFMul},
    {"vector.reduce.smax", REDUCE_INTR, INTR_SMAX},
    {"vector.reduce.smin", REDUCE_INTR, INTR_SMIN},
    {"vector.reduce.umax", REDUCE_INTR, INTR_UMAX},
    {"vector.reduce.umin", REDUCE_INTR, INTR_UMIN},
    {"vector.reduce.fmax", REDUCE_INTR, INTR_MAXNUM},
    {"vector.reduce.fmin", REDUCE_INTR, INTR_MINNUM},
    {"vector.reduce.fmaximum", REDUCE_INTR, INTR_MAXIMUM},
    {"vector.reduce.fminimum", REDUCE_INTR, INTR_MINIMUM},
    {"experimental.constrained.fadd", STRICT, LLVMFAdd},
    {"experimental.constrained.fsub", STRICT, LLVMFSub},
    {"experimental.constrained.fmul", STRICT, LLVMFMul},
    {"experimental.constrained.fdiv", STRICT, LLVMFDiv},
    {"experimental.constrained.frem", STRICT, LLVMFRem},
    {"experimental.constrained.fptosi", STRICT, LLVMFPToSI},
    {"experimental.constrained.fptoui", STRICT, LLVMFPToUI},
    {"experimental.constrained.sitofp", STRICT, LLVMSIToFP},
    {"experimental.constrained.uitofp", STRICT, LLVMUIToFP},
    {"experimental.constrained.fptrunc", STRICT, LLVMFPTrunc},
    {"experimental.constrained.fpext", STRICT, LLVMFPExt},
    {"experimental.constrained.sqrt", UNARY, INTR_SQRT},
    {"experimental.constrained.fmuladd", MULADD, INTR_FMULADD},
    {"experimental.constrained.fma", TERNARY, INTR_FMA},
};

/* The row whose name is the longest that `name` begins with, up to a dot or the end. */
uint32_t intrinsic_row(const char *name, size_t n) {
  uint32_t best = NONE;
  size_t longest = 0;
  if (n < 5) return NONE;
  name += 5, n -= 5; /* "llvm." */
  for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    size_t k = strlen(rows[i].name);
    if (k > n || k <= longest || memcmp(rows[i].name, name, k) != 0) continue;
    if (k == n || name[k] == '.' || rows[i].name[k - 1] == '.') best = i, longest = k;
  }
  return best;
}

bool intrinsic_is_nothing(uint32_t row) { return row != NONE && rows[row].way == NOTHING; }
bool intrinsic_is_alias(uint32_t row) { return row != NONE && rows[row].way == ALIAS; }

static void put_intr(struct fn *f, unsigned intrinsic, uint32_t d, uint32_t bits, const uint16_t *args, uint32_t n) {
  emit(f, OP_INTR, d, n, bits);
  emit_halves(f, intrinsic, 0);
  for (uint32_t i = 0; i < n; i += 4) {
    union insn w = {.word = 0};
    for (uint32_t k = 0; k < 4 && i + k < n; k++) w.slots[k] = args[i + k];
    emit_word(f, w.word);
  }
}

struct lanes {
  uint32_t count;
  const struct type_info *type; /* of one lane */
};

static struct lanes lanes_of(const struct type_info *t) {
  if (t->class == T_VECTOR) return (struct lanes){t->count, t->element};
  return (struct lanes){1, t};
}

static bool scalar_class(struct fn *f, LLVMValueRef v, const struct type_info *t) {
  if (t->class >= T_INT && t->class <= T_X87 && t->bits <= 128) return true;
  lower_fail(f->l, v, "this intrinsic on these types");
  return false;
}

/* INTR of the first n operands, lane by lane; an operand that is not a vector is the same for all. */
static void emit_lanes(struct fn *f, LLVMValueRef v, unsigned intrinsic, unsigned n, const struct type_info *result,
                       const struct type_info *width) {
  struct lanes r = lanes_of(result), w = lanes_of(width);
  if (!scalar_class(f, v, r.type) || !scalar_class(f, v, w.type)) return;
  uint32_t d = def_slot(f, v), first[3] = {0};
  const struct type_info *types[3] = {0};
  for (unsigned i = 0; i < n; i++) first[i] = use_slot(f, LLVMGetOperand(v, i)), types[i] = type_of_value(f->l, LLVMGetOperand(v, i));
  for (uint32_t lane = 0; lane < r.count; lane++) {
    uint16_t args[6];
    uint32_t k = 0;
    for (unsigned i = 0; i < n; i++) {
      struct lanes a = lanes_of(types[i]);
      uint32_t slot = first[i] + (a.count > 1 || types[i]->class == T_VECTOR ? lane * a.type->slots : 0);
      for (uint32_t s = 0; s < a.type->slots; s++) args[k++] = (uint16_t)(slot + s);
    }
    put_intr(f, intrinsic, d + lane * r.type->slots, w.type->bits, args, k);
  }
}

/* a * b + c, rounded twice: what clang makes of x86-64 without FMA. */
static void emit_muladd(struct fn *f, LLVMValueRef v, const struct type_info *t) {
  struct lanes l = lanes_of(t);
  if (l.type->class != T_FLOAT && l.type->class != T_DOUBLE) {
    emit_lanes(f, v, INTR_FMULADD, 3, t, t);
    return;
  }
  bool single = l.type->class == T_FLOAT;
  uint32_t d = def_slot(f, v), a = use_slot(f, LLVMGetOperand(v, 0)), b = use_slot(f, LLVMGetOperand(v, 1)),
           c = use_slot(f, LLVMGetOperand(v, 2));
  for (uint32_t lane = 0; lane < l.count; lane++) {
    uint32_t product = temp_slots(f, 1);
    emit(f, single ? OP_FMUL : OP_GMUL, product, a + lane, b + lane);
    emit(f, single ? OP_FADD : OP_GADD, d + lane, product, c + lane);
  }
}

static void emit_overflow(struct fn *f, LLVMValueRef v, unsigned intrinsic) {
  const struct type_info *t = type_of_value(f->l, LLVMGetOperand(v, 0));
  struct lanes l = lanes_of(t);
  uint32_t d = def_slot(f, v), a = use_slot(f, LLVMGetOperand(v, 0)), b = use_slot(f, LLVMGetOperand(v, 1)), n = l.type->slots;
  for (uint32_t lane = 0; lane < l.count; lane++) {
    uint16_t args[4];
    for (uint32_t i = 0; i < n; i++) args[i] = (uint16_t)(a + lane * n + i), args[n + i] = (uint16_t)(b + lane * n + i);
    bool whole = l.count == 1;
    uint32_t to = whole ? d : temp_slots(f, n + 1);
    put_intr(f, intrinsic, to, l.type->bits, args, 2 * n);
    if (whole) return;
    emit_copy(f, d + lane * n, to, n);
    emit_copy(f, d + l.count * n + lane, to + n, 1);
  }
}

static void emit_saturating(struct fn *f, LLVMValueRef v, bool sign) {
  const struct type_info *from = lanes_of(type_of_value(f->l, LLVMGetOperand(v, 0))).type, *to = type_of_value(f->l, v);
  static const uint16_t ops[2][3] = {{INTR_FPTOUI_SAT_F, INTR_FPTOUI_SAT_G, INTR_FPTOUI_SAT_X},
                                     {INTR_FPTOSI_SAT_F, INTR_FPTOSI_SAT_G, INTR_FPTOSI_SAT_X}};
  if (from->class < T_FLOAT || from->class > T_X87) {
    scalar_class(f, v, type_of_value(f->l, v));
    return;
  }
  emit_lanes(f, v, ops[sign][from->class - T_FLOAT], 1, to, to);
}

static void emit_plain(struct fn *f, LLVMValueRef v, unsigned intrinsic) {
  uint16_t args[4];
  uint32_t n = 0;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(v) && n < 4; i++) args[n++] = (uint16_t)use_slot(f, LLVMGetOperand(v, i));
  bool value = type_of_value(f->l, v)->slots > 0;
  put_intr(f, intrinsic, value ? def_slot(f, v) : 0, 64, args, n);
}

static void emit_lifetime(struct fn *f, LLVMValueRef v, bool start) {
  uint64_t bytes = ~0ull;
  LLVMValueRef pointer = LLVMGetOperand(v, 1);
  (void)const_integer(LLVMGetOperand(v, 0), &bytes);
  if (bytes == ~0ull && LLVMGetValueKind(pointer) == LLVMInstructionValueKind && LLVMGetInstructionOpcode(pointer) == LLVMAlloca) {
    uint64_t count;
    if (const_integer(LLVMGetOperand(pointer, 0), &count)) bytes = count * type_of(f->l, LLVMGetAllocatedType(pointer))->size;
  }
  if (bytes == ~0ull || LLVMIsConstant(pointer)) return;
  emit(f, OP_LIFETIME, use_slot(f, pointer), start, 0);
  emit_word(f, bytes);
}

static void emit_object_size(struct fn *f, LLVMValueRef v) {
  uint64_t minimum = 0;
  (void)const_integer(LLVMGetOperand(v, 1), &minimum);
  uint32_t bits = type_of_value(f->l, v)->bits;
  uint64_t unknown = minimum ? 0 : bits == 64 ? ~0ull : (1ull << bits) - 1;
  emit_load_constant(f, def_slot(f, v), unknown);
}

static void emit_thread_local(struct fn *f, LLVMValueRef v) {
  uint64_t offset;
  if (!const_thread_local(f->l, LLVMGetOperand(v, 0), &offset)) {
    lower_fail(f->l, v, "the address of a thread-local that is none");
    return;
  }
  emit(f, OP_TLS, def_slot(f, v), 0, 0);
  emit_word(f, offset);
}

static void emit_load_relative(struct fn *f, LLVMValueRef v) {
  uint32_t base = use_slot(f, LLVMGetOperand(v, 0)), t = temp_slots(f, 1);
  const struct type_info *index = type_of_value(f->l, LLVMGetOperand(v, 1));
  uint32_t offset = use_slot(f, LLVMGetOperand(v, 1));
  if (index->bits < 64) offset = sign_extended(f, offset, index->bits, 64);
  emit(f, OP_ADD64, t, base, offset);
  emit(f, OP_LD32, t, t, 0);
  emit(f, OP_SEXT32_64, t, t, 0);
  emit(f, OP_ADD64, def_slot(f, v), base, t);
}

static void emit_reduce(struct fn *f, LLVMValueRef v, const struct row *row) {
  unsigned at = row->way == REDUCE_START ? 1 : 0;
  const struct type_info *t = type_of_value(f->l, LLVMGetOperand(v, at)), *e = t->element;
  uint32_t s = use_slot(f, LLVMGetOperand(v, at)), n = e->slots, acc = temp_slots(f, n);
  uint32_t start = at ? use_slot(f, LLVMGetOperand(v, 0)) : s;
  emit_copy(f, acc, start, n);
  for (uint32_t i = at ? 0 : 1; i < t->count; i++) {
    if (row->way != REDUCE_INTR) {
      emit_binary_lane(f, (LLVMOpcode)row->what, e, acc, acc, s + i * n);
      continue;
    }
    uint16_t args[4];
    for (uint32_t k = 0; k < n; k++) args[k] = (uint16_t)(acc + k), args[n + k] = (uint16_t)(s + i * n + k);
    put_intr(f, row->what, acc, e->bits, args, 2 * n);
  }
  emit_copy(f, def_slot(f, v), acc, n);
}

static void emit_three_way(struct fn *f, LLVMValueRef v, bool sign) {
  const struct type_info *t = type_of_value(f->l, LLVMGetOperand(v, 0)), *r = type_of_value(f->l, v);
  if (t->class == T_VECTOR || t->bits > 64 || r->slots != 1) {
    lower_fail(f->l, v, "a three-way comparison of these types");
    return;
  }
  uint32_t a = use_slot(f, LLVMGetOperand(v, 0)), b = use_slot(f, LLVMGetOperand(v, 1)), x = temp_slots(f, 1), y = temp_slots(f, 1);
  if (sign) a = sign_extended(f, a, t->bits, 64), b = sign_extended(f, b, t->bits, 64);
  emit(f, sign ? OP_SLT64 : OP_ULT, x, b, a);
  emit(f, sign ? OP_SLT64 : OP_ULT, y, a, b);
  emit(f, OP_SUB64, x, x, y);
  uint32_t d = def_slot(f, v);
  if (r->bits < 64)
    emit(f, OP_TRUNC, d, x, r->bits);
  else
    emit_copy(f, d, x, 1);
}

static void emit_strict(struct fn *f, LLVMValueRef v, LLVMOpcode op) {
  const struct type_info *to = type_of_value(f->l, v), *from = type_of_value(f->l, LLVMGetOperand(v, 0));
  struct lanes r = lanes_of(to), a = lanes_of(from);
  if (!scalar_class(f, v, r.type) || !scalar_class(f, v, a.type)) return;
  bool binary = op >= LLVMAdd && op <= LLVMFRem;
  uint32_t d = def_slot(f, v), x = use_slot(f, LLVMGetOperand(v, 0)), y = binary ? use_slot(f, LLVMGetOperand(v, 1)) : 0;
  for (uint32_t i = 0; i < r.count; i++)
    if (binary)
      emit_binary_lane(f, op, r.type, d + i * r.type->slots, x + i * a.type->slots, y + i * a.type->slots);
    else
      emit_cast_lane(f, op, a.type, r.type, d + i * r.type->slots, x + i * a.type->slots);
}

static void emit_frexp(struct fn *f, LLVMValueRef v) {
  const struct type_info *t = type_of_value(f->l, LLVMGetOperand(v, 0));
  if (!scalar_class(f, v, t)) return;
  uint32_t s = use_slot(f, LLVMGetOperand(v, 0));
  uint16_t args[2] = {(uint16_t)s, (uint16_t)(s + 1)};
  put_intr(f, INTR_FREXP, def_slot(f, v), t->bits, args, t->slots);
}

/* long: one short case for each way */
void emit_intrinsic(struct fn *f, LLVMValueRef v, uint32_t row) {
  size_t n;
  if (row == NONE) {
    lower_fail(f->l, v, "the intrinsic '%s'", LLVMGetValueName2(LLVMGetCalledValue(v), &n));
    return;
  }
  const struct row *r = &rows[row];
  const struct type_info *t = type_of_value(f->l, v);
  uint64_t address = 0;
  switch ((enum way)r->way) {
    case NOTHING:
      return;
    case ALIAS:
      emit_copy(f, def_slot(f, v), use_slot(f, LLVMGetOperand(v, 0)), t->slots);
      return;
    case UNARY:
      emit_lanes(f, v, r->what, 1, t, t);
      return;
    case BINARY:
    case WITH_INT:
      emit_lanes(f, v, r->what, 2, t, t);
      return;
    case TERNARY:
      emit_lanes(f, v, r->what, 3, t, t);
      return;
    case MULADD:
      emit_muladd(f, v, t);
      return;
    case BY_SOURCE:
      emit_lanes(f, v, r->what, 1, t, type_of_value(f->l, LLVMGetOperand(v, 0)));
      return;
    case CLASS:
      emit_lanes(f, v, r->what, 2, t, type_of_value(f->l, LLVMGetOperand(v, 0)));
      return;
    case OVERFLOWS:
      emit_overflow(f, v, r->what);
      return;
    case SATURATES:
      emit_saturating(f, v, r->what);
      return;
    case SPLITS:
      emit_frexp(f, v);
      return;
    case PLAIN:
      emit_plain(f, v, r->what);
      return;
    case COPY: {
      uint32_t to = use_slot(f, LLVMGetOperand(v, 0)), from = use_slot(f, LLVMGetOperand(v, 1)), bytes = use_slot(f, LLVMGetOperand(v, 2));
      emit(f, r->what, to, from, bytes);
      return;
    }
    case LIFE:
      emit_lifetime(f, v, r->what);
      return;
    case CONSTANT:
      emit_load_constant(f, def_slot(f, v), r->what);
      return;
    case OBJECTSIZE:
      emit_object_size(f, v);
      return;
    case STACK_SAVE:
      emit(f, OP_SPSAVE, def_slot(f, v), 0, 0);
      return;
    case STACK_RESTORE:
      emit(f, OP_SPRESTORE, use_slot(f, LLVMGetOperand(v, 0)), 0, 0);
      return;
    case VA_START:
      emit_va_start(f, LLVMGetOperand(v, 0));
      return;
    case VA_COPY: {
      uint32_t to = use_slot(f, LLVMGetOperand(v, 0));
      emit(f, OP_VACOPY, to, use_slot(f, LLVMGetOperand(v, 1)), 0);
      return;
    }
    case TYPE_ID:
      (void)const_slots(f->l, LLVMGetOperand(v, 0), &address);
      emit_load_constant(f, def_slot(f, v), type_selector(f->l, address));
      return;
    case THREAD_LOCAL:
      emit_thread_local(f, v);
      return;
    case CYCLES:
      emit_extern_call(f, "__hd_cycles", def_slot(f, v), 1, NULL, 0);
      return;
    case YIELD:
      emit_extern_call(f, "__hd_yield", 0, 0, NULL, 0);
      return;
    case BARRIER:
      emit(f, OP_FENCE, r->what, 0, 0);
      return;
    case LOAD_RELATIVE:
      emit_load_relative(f, v);
      return;
    case MASK_POINTER: {
      uint32_t p = use_slot(f, LLVMGetOperand(v, 0));
      emit(f, OP_AND, def_slot(f, v), p, use_slot(f, LLVMGetOperand(v, 1)));
      return;
    }
    case REDUCE:
    case REDUCE_START:
    case REDUCE_INTR:
      emit_reduce(f, v, r);
      return;
    case THREE_WAY:
      emit_three_way(f, v, r->what);
      return;
    case STRICT:
      emit_strict(f, v, (LLVMOpcode)r->what);
      return;
  }
}
