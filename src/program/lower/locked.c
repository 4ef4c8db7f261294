#include "program/lower/locked.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "program/lower/statement.h"

/* What an instruction is carried out with. */
struct execution {
  struct statement *s;
  LLVMBuilderRef b;
  LLVMContextRef context;
  LLVMValueRef zero, carry; /* the flags, i1; NULL: not known */
};

/* --- values --- */

static LLVMValueRef as_type(LLVMBuilderRef b, LLVMValueRef v, LLVMTypeRef type) {
  LLVMTypeKind from = LLVMGetTypeKind(LLVMTypeOf(v)), to = LLVMGetTypeKind(type);
  LLVMContextRef context = LLVMGetTypeContext(type);
  if (LLVMTypeOf(v) == type) return v;
  if (from == LLVMFloatTypeKind || from == LLVMDoubleTypeKind)
    return as_type(b, LLVMBuildBitCast(b, v, LLVMIntTypeInContext(context, from == LLVMFloatTypeKind ? 32 : 64), ""), type);
  if (to == LLVMFloatTypeKind || to == LLVMDoubleTypeKind) {
    LLVMTypeRef bits = LLVMIntTypeInContext(context, to == LLVMFloatTypeKind ? 32 : 64);
    return LLVMBuildBitCast(b, as_type(b, v, bits), type, "");
  }
  if (from == LLVMPointerTypeKind) return LLVMBuildPtrToInt(b, v, type, "");
  return to == LLVMPointerTypeKind ? LLVMBuildIntToPtr(b, v, type, "") : LLVMBuildIntCast2(b, v, type, false, "");
}

static bool is_plain(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

static unsigned bits_of(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMIntegerTypeKind) return LLVMGetIntTypeWidth(type);
  return kind == LLVMFloatTypeKind ? 32 : 64;
}

static LLVMValueRef address(struct execution *e, const struct place *p) {
  LLVMTypeRef pointer = LLVMPointerTypeInContext(e->context, 0), byte = LLVMInt8TypeInContext(e->context);
  LLVMValueRef base = as_type(e->b, p->base, pointer), offset = LLVMConstInt(LLVMInt64TypeInContext(e->context), (uint64_t)p->number, true);
  return p->number ? LLVMBuildGEP2(e->b, byte, base, &offset, 1, "") : base;
}

/* The value of an immediate number or a register; NULL: nothing was written to the register. */
static LLVMValueRef read_place(struct execution *e, const struct place *p, LLVMTypeRef type) {
  if (p->kind == PLACE_IMMEDIATE) return LLVMConstInt(type, (uint64_t)p->number, true);
  if (p->kind != PLACE_REGISTER || !*p->value || !is_plain(LLVMTypeOf(*p->value))) return NULL;
  return as_type(e->b, *p->value, type);
}

static LLVMValueRef load(struct execution *e, const struct place *p, LLVMTypeRef type, LLVMAtomicOrdering order) {
  LLVMValueRef v = LLVMBuildLoad2(e->b, type, address(e, p), "");
  LLVMSetOrdering(v, order);
  LLVMSetAlignment(v, order == LLVMAtomicOrderingNotAtomic ? 1 : bits_of(type) / 8);
  return v;
}

static void store(struct execution *e, const struct place *p, LLVMValueRef value, LLVMAtomicOrdering order) {
  LLVMValueRef v = LLVMBuildStore(e->b, value, address(e, p));
  LLVMSetOrdering(v, order);
  LLVMSetAlignment(v, order == LLVMAtomicOrderingNotAtomic ? 1 : bits_of(LLVMTypeOf(value)) / 8);
}

static LLVMValueRef is_zero(struct execution *e, LLVMValueRef v) {
  return LLVMBuildICmp(e->b, LLVMIntEQ, v, LLVMConstNull(LLVMTypeOf(v)), "");
}

/* --- instructions --- */

/* A store of x86 is a release, a load an acquire. */
static bool do_mov(struct execution *e, const struct instruction *i, LLVMTypeRef type, int unused) {
  (void)unused;
  const struct place *from = &i->places[0], *to = &i->places[1];
  if (i->count != 2 || i->lock || to->kind == PLACE_IMMEDIATE) return false;
  if (from->kind == PLACE_MEMORY) {
    if (to->kind == PLACE_MEMORY) return false;
    *to->value = load(e, from, type, LLVMAtomicOrderingAcquire);
    return true;
  }
  LLVMValueRef v = read_place(e, from, type);
  if (to->kind == PLACE_REGISTER) return *to->value = v, v || from->kind == PLACE_REGISTER; /* what is not known may be moved */
  if (v) store(e, to, v, LLVMAtomicOrderingRelease);
  return v != NULL;
}

static LLVMValueRef combine(struct execution *e, LLVMAtomicRMWBinOp operation, LLVMValueRef a, LLVMValueRef b) {
  if (operation == LLVMAtomicRMWBinOpAdd) return LLVMBuildAdd(e->b, a, b, "");
  if (operation == LLVMAtomicRMWBinOpSub) return LLVMBuildSub(e->b, a, b, "");
  if (operation == LLVMAtomicRMWBinOpAnd) return LLVMBuildAnd(e->b, a, b, "");
  if (operation == LLVMAtomicRMWBinOpOr) return LLVMBuildOr(e->b, a, b, "");
  if (operation == LLVMAtomicRMWBinOpXor) return LLVMBuildXor(e->b, a, b, "");
  return b; /* an exchange */
}

/* Changes a place and says what was there; without "lock" memory is read and written by two accesses that are not atomic. */
static LLVMValueRef change(struct execution *e, const struct place *to, LLVMAtomicRMWBinOp operation, LLVMValueRef x, bool lock) {
  LLVMTypeRef type = LLVMTypeOf(x);
  LLVMValueRef before;
  if (to->kind == PLACE_MEMORY && lock)
    return LLVMBuildAtomicRMW(e->b, operation, address(e, to), x, LLVMAtomicOrderingSequentiallyConsistent, false);
  if (to->kind == PLACE_MEMORY) {
    before = load(e, to, type, LLVMAtomicOrderingNotAtomic);
    store(e, to, combine(e, operation, before, x), LLVMAtomicOrderingNotAtomic);
    return before;
  }
  before = lock ? NULL : read_place(e, to, type);
  if (before && to->kind == PLACE_REGISTER) *to->value = combine(e, operation, before, x);
  return to->kind == PLACE_REGISTER ? before : NULL;
}

static bool do_arithmetic(struct execution *e, const struct instruction *i, LLVMTypeRef type, int operation) {
  LLVMValueRef x = i->count == 2 ? read_place(e, &i->places[0], type) : NULL;
  LLVMValueRef before = x ? change(e, &i->places[1], (LLVMAtomicRMWBinOp)operation, x, i->lock) : NULL;
  if (!before) return false;
  e->zero = is_zero(e, combine(e, (LLVMAtomicRMWBinOp)operation, before, x)), e->carry = NULL;
  return true;
}

static bool do_one(struct execution *e, const struct instruction *i, LLVMTypeRef type, int operation) {
  LLVMValueRef one = LLVMConstInt(type, 1, false);
  LLVMValueRef before = i->count == 1 ? change(e, &i->places[0], (LLVMAtomicRMWBinOp)operation, one, i->lock) : NULL;
  if (!before) return false;
  e->zero = is_zero(e, combine(e, (LLVMAtomicRMWBinOp)operation, before, one));
  return true;
}

/* not changes no flags. */
static bool do_not(struct execution *e, const struct instruction *i, LLVMTypeRef type, int unused) {
  (void)unused;
  return i->count == 1 && change(e, &i->places[0], LLVMAtomicRMWBinOpXor, LLVMConstAllOnes(type), i->lock);
}

/* LLVM has no atomic negation, so only registers are negated. */
static bool do_neg(struct execution *e, const struct instruction *i, LLVMTypeRef type, int unused) {
  (void)unused;
  LLVMValueRef x = i->count == 1 && !i->lock ? read_place(e, &i->places[0], type) : NULL;
  if (!x || i->places[0].kind != PLACE_REGISTER) return false;
  *i->places[0].value = LLVMBuildNeg(e->b, x, "");
  e->zero = is_zero(e, x), e->carry = NULL;
  return true;
}

/* xchg with memory is atomic without "lock", and the order of its operands is free. */
static bool do_xchg(struct execution *e, const struct instruction *i, LLVMTypeRef type, int unused) {
  (void)unused;
  const struct place *from = &i->places[0], *to = &i->places[1];
  if (i->count != 2) return false;
  if (from->kind == PLACE_MEMORY) from = &i->places[1], to = &i->places[0];
  LLVMValueRef x = from->kind == PLACE_REGISTER ? read_place(e, from, type) : NULL;
  LLVMValueRef before = x ? change(e, to, LLVMAtomicRMWBinOpXchg, x, to->kind == PLACE_MEMORY) : NULL;
  if (before) *from->value = before;
  return before != NULL;
}

static bool do_xadd(struct execution *e, const struct instruction *i, LLVMTypeRef type, int unused) {
  (void)unused;
  const struct place *from = &i->places[0], *to = &i->places[1];
  LLVMValueRef x = i->count == 2 && from->kind == PLACE_REGISTER ? read_place(e, from, type) : NULL;
  LLVMValueRef before = x ? change(e, to, LLVMAtomicRMWBinOpAdd, x, i->lock) : NULL;
  if (!before) return false;
  *from->value = before;
  e->zero = is_zero(e, LLVMBuildAdd(e->b, before, x, "")), e->carry = NULL;
  return true;
}

static LLVMValueRef exchange_if(struct execution *e, const struct place *to, LLVMValueRef expected, LLVMValueRef wanted) {
  LLVMValueRef pair = LLVMBuildAtomicCmpXchg(e->b, address(e, to), expected, wanted, LLVMAtomicOrderingSequentiallyConsistent,
                                             LLVMAtomicOrderingSequentiallyConsistent, false);
  e->zero = LLVMBuildExtractValue(e->b, pair, 1, ""), e->carry = NULL;
  return LLVMBuildExtractValue(e->b, pair, 0, "");
}

/* The accumulator is compared, and gets what was there. */
static bool do_cmpxchg(struct execution *e, const struct instruction *i, LLVMTypeRef type, int unused) {
  (void)unused;
  LLVMValueRef *accumulator = statement_register(e->s, "ax");
  if (!i->lock || i->count != 2 || i->places[1].kind != PLACE_MEMORY || !*accumulator || !is_plain(LLVMTypeOf(*accumulator))) return false;
  LLVMValueRef wanted = i->places[0].kind == PLACE_REGISTER ? read_place(e, &i->places[0], type) : NULL;
  if (wanted) *accumulator = exchange_if(e, &i->places[1], as_type(e->b, *accumulator, type), wanted);
  return wanted != NULL;
}

static LLVMValueRef pair_of(struct execution *e, LLVMValueRef low, LLVMValueRef high, LLVMTypeRef half) {
  LLVMTypeRef whole = LLVMIntTypeInContext(e->context, 2 * bits_of(half));
  LLVMValueRef shift = LLVMConstInt(whole, bits_of(half), false), upper = as_type(e->b, as_type(e->b, high, half), whole);
  return LLVMBuildOr(e->b, as_type(e->b, as_type(e->b, low, half), whole), LLVMBuildShl(e->b, upper, shift, ""), "");
}

/* cmpxchg16b, cmpxchg8b: dx:ax is compared, cx:bx stored. If it makes no difference what they are (all are the same unknown registers, to
 * read memory), they are zero. */
static bool do_cmpxchg_pair(struct execution *e, const struct instruction *i, LLVMTypeRef half, int unused) {
  (void)unused;
  static const char *const names[] = {"ax", "dx", "bx", "cx"};
  LLVMValueRef *registers[4], values[4];
  unsigned known = 0;
  for (int k = 0; k < 4; k++) {
    registers[k] = statement_register(e->s, names[k]);
    values[k] = *registers[k] ? *registers[k] : LLVMConstNull(half);
    if (!is_plain(LLVMTypeOf(values[k]))) return false;
    known += *registers[k] != NULL;
  }
  if (!i->lock || i->count != 1 || i->places[0].kind != PLACE_MEMORY || (known != 0 && known != 4)) return false;
  LLVMValueRef before = exchange_if(e, &i->places[0], pair_of(e, values[0], values[1], half), pair_of(e, values[2], values[3], half));
  LLVMValueRef upper = LLVMBuildLShr(e->b, before, LLVMConstInt(LLVMTypeOf(before), bits_of(half), false), "");
  *registers[0] = as_type(e->b, before, half), *registers[1] = as_type(e->b, upper, half);
  return true;
}

/* bts, btr, btc: a bit of the memory from an address on, which may lie behind the first word. */
static bool do_bit(struct execution *e, const struct instruction *i, LLVMTypeRef type, int operation) {
  struct place word = i->places[1];
  LLVMValueRef number =
      i->count == 2 && i->lock && word.kind == PLACE_MEMORY && bits_of(type) > 8 ? read_place(e, &i->places[0], type) : NULL;
  if (!number) return false;
  LLVMTypeRef wide = LLVMInt64TypeInContext(e->context), byte = LLVMInt8TypeInContext(e->context);
  unsigned bits = bits_of(type);
  LLVMValueRef in_word = LLVMBuildAnd(e->b, number, LLVMConstInt(type, bits - 1, false), "");
  if (i->places[0].kind == PLACE_REGISTER) {
    LLVMValueRef first = LLVMBuildSub(e->b, number, in_word, "");
    LLVMValueRef bytes = LLVMBuildAShr(e->b, LLVMBuildSExtOrBitCast(e->b, first, wide, ""), LLVMConstInt(wide, 3, false), "");
    word.base = LLVMBuildGEP2(e->b, byte, address(e, &word), &bytes, 1, ""), word.number = 0;
  }
  LLVMValueRef mask = LLVMBuildShl(e->b, LLVMConstInt(type, 1, false), in_word, "");
  if (operation == LLVMAtomicRMWBinOpAnd) mask = LLVMBuildNot(e->b, mask, "");
  LLVMValueRef before = change(e, &word, (LLVMAtomicRMWBinOp)operation, mask, true);
  e->carry = LLVMBuildTrunc(e->b, LLVMBuildLShr(e->b, before, in_word, ""), LLVMInt1TypeInContext(e->context), "");
  return true;
}

static bool do_set(struct execution *e, const struct instruction *i, LLVMTypeRef type, int which) {
  LLVMValueRef flag = which == 'c' ? e->carry : e->zero;
  if (!flag || i->count != 1 || i->lock) return false;
  LLVMValueRef v = LLVMBuildZExt(e->b, which == '!' ? LLVMBuildNot(e->b, flag, "") : flag, type, "");
  if (i->places[0].kind == PLACE_MEMORY)
    store(e, &i->places[0], v, LLVMAtomicOrderingNotAtomic);
  else if (i->places[0].kind == PLACE_REGISTER)
    *i->places[0].value = v;
  return i->places[0].kind != PLACE_IMMEDIATE;
}

/* --- statements --- */

typedef bool action(struct execution *e, const struct instruction *i, LLVMTypeRef type, int operation);

static const struct {
  const char *mnemonic;
  action *act;
  int operation;
  unsigned bits; /* of what it works on; 0: a suffix or a register says so */
} actions[] = {{"mov", do_mov, 0, 0},
               {"inc", do_one, LLVMAtomicRMWBinOpAdd, 0},
               {"dec", do_one, LLVMAtomicRMWBinOpSub, 0},
               {"add", do_arithmetic, LLVMAtomicRMWBinOpAdd, 0},
               {"sub", do_arithmetic, LLVMAtomicRMWBinOpSub, 0},
               {"and", do_arithmetic, LLVMAtomicRMWBinOpAnd, 0},
               {"or", do_arithmetic, LLVMAtomicRMWBinOpOr, 0},
               {"xor", do_arithmetic, LLVMAtomicRMWBinOpXor, 0},
               {"not", do_not, 0, 0},
               {"neg", do_neg, 0, 0},
               {"xchg", do_xchg, 0, 0},
               {"xadd", do_xadd, 0, 0},
               {"cmpxchg", do_cmpxchg, 0, 0},
               {"cmpxchg8b", do_cmpxchg_pair, 0, 32},
               {"cmpxchg16b", do_cmpxchg_pair, 0, 64},
               {"bts", do_bit, LLVMAtomicRMWBinOpOr, 0},
               {"btr", do_bit, LLVMAtomicRMWBinOpAnd, 0},
               {"btc", do_bit, LLVMAtomicRMWBinOpXor, 0},
               {"setz", do_set, 'z', 8},
               {"sete", do_set, 'z', 8},
               {"setnz", do_set, '!', 8},
               {"setne", do_set, '!', 8},
               {"setc", do_set, 'c', 8},
               {"setb", do_set, 'c', 8}};

/* Without a suffix the registers' size counts; 0: there is none. */
static unsigned bits_of_registers(const struct instruction *i) {
  for (unsigned k = 0; k < i->count; k++) {
    const struct place *p = &i->places[k];
    if (p->kind != PLACE_REGISTER) continue;
    if (p->bits) return p->bits;
    if (*p->value && is_plain(LLVMTypeOf(*p->value))) return bits_of(LLVMTypeOf(*p->value));
  }
  return 0;
}

static bool carry_out(struct execution *e, const struct instruction *i) {
  static const char suffixes[] = "bwlq";
  for (size_t k = 0; k < sizeof actions / sizeof *actions; k++) {
    size_t n = strlen(actions[k].mnemonic);
    if (strncmp(i->mnemonic, actions[k].mnemonic, n) != 0) continue;
    const char *rest = i->mnemonic + n, *suffix = *rest ? strchr(suffixes, *rest) : NULL;
    unsigned bits = actions[k].bits;
    if (*rest && (bits || !suffix || rest[1])) continue;
    if (!bits) bits = suffix ? 8u << (suffix - suffixes) : bits_of_registers(i);
    if (bits < 8 || (bits & (bits - 1)) || bits > 64) return false;
    return actions[k].act(e, i, LLVMIntTypeInContext(e->context, bits), actions[k].operation);
  }
  return false;
}

static LLVMValueRef output_value(struct execution *e, const struct statement_operand *o, LLVMTypeRef type) {
  LLVMValueRef v = o->flag == 'z' ? e->zero : o->flag == 'c' ? e->carry : o->reg >= 0 ? e->s->registers[o->reg] : o->value;
  return v && is_plain(type) && is_plain(LLVMTypeOf(v)) ? as_type(e->b, v, type) : NULL;
}

/* What the statement gives: a value, or a struct of them. */
static LLVMValueRef result_of(struct execution *e) {
  LLVMTypeRef type = LLVMTypeOf(e->s->call);
  LLVMValueRef all = e->s->outputs > 1 ? LLVMGetUndef(type) : NULL;
  unsigned k = 0;
  for (unsigned i = 0; i < e->s->count; i++) {
    const struct statement_operand *o = &e->s->operands[i];
    if (!o->output) continue;
    LLVMValueRef v = output_value(e, o, all ? LLVMStructGetTypeAtIndex(type, k) : type);
    if (!v) return NULL;
    all = e->s->outputs > 1 ? LLVMBuildInsertValue(e->b, all, v, k, "") : v;
    k++;
  }
  return all;
}

/* What was built so far for a statement that cannot be replaced after all. */
static void take_back(LLVMValueRef call, LLVMValueRef before) {
  for (LLVMValueRef v = LLVMGetPreviousInstruction(call); v != before; v = LLVMGetPreviousInstruction(call))
    LLVMInstructionEraseFromParent(v);
}

static void replace_statement(LLVMBuilderRef b, struct statement *s) {
  struct execution e = {.s = s, .b = b, .context = LLVMGetTypeContext(LLVMTypeOf(s->call))};
  LLVMValueRef before = LLVMGetPreviousInstruction(s->call), result = NULL;
  struct instruction i;
  unsigned done = 0;
  bool bad;
  while (statement_next(s, &i, &bad) && !bad) {
    bad = !carry_out(&e, &i);
    if (bad) break;
    done++;
  }
  if (!bad && done) result = s->outputs ? result_of(&e) : s->call;
  if (!result) {
    take_back(s->call, before);
    return;
  }
  if (s->outputs) LLVMReplaceAllUsesWith(s->call, result);
  LLVMInstructionEraseFromParent(s->call);
}

/* `lock; addl $0, (%rsp)` and the like are fences, which the loader knows (code/assembly.c). */
void locked_replace(LLVMModuleRef module) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef v = LLVMGetFirstInstruction(block), next; v; v = next) {
        next = LLVMGetNextInstruction(v);
        struct statement s;
        if (!LLVMIsACallInst(v) || !LLVMIsAInlineAsm(LLVMGetCalledValue(v)) || !statement_read(&s, v)) continue;
        LLVMPositionBuilderBefore(b, v);
        LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(v));
        replace_statement(b, &s);
      }
  LLVMDisposeBuilder(b);
}
