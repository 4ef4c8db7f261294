#include "program/lower/locked.h"

#include <ctype.h>
#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

enum { OPERANDS = 8, TEXT_MOST = 96 };

/* What "$k" stands for. */
struct operand {
  LLVMValueRef value; /* that it begins with; NULL: of an output that nothing is tied to */
  bool memory;        /* `value` is its address */
  bool output;        /* the statement's result */
  bool accumulator;   /* in rax */
};

struct statement {
  LLVMValueRef call;
  char text[TEXT_MOST]; /* without blanks and separators */
  struct operand operands[OPERANDS];
  unsigned count, outputs;
};

static bool squeeze(const char *text, size_t n, char *out) {
  size_t k = 0;
  for (size_t i = 0; i < n; i++) {
    if (isspace((unsigned char)text[i]) || text[i] == ';') continue;
    if (k + 1 == TEXT_MOST) return false;
    out[k++] = (char)tolower((unsigned char)text[i]);
  }
  out[k] = 0;
  return true;
}

/* One constraint: the next operand; false: it has more than one of these instructions needs. */
static bool read_constraint(struct statement *s, const char *p, size_t n, unsigned *argument) {
  bool output = *p == '=', indirect = memchr(p, '*', n) != NULL;
  if (*p == '~') return true;
  if (s->count == OPERANDS || memchr(p, '@', n)) return false;
  struct operand *x = &s->operands[s->count++];
  *x = (struct operand){.memory = indirect, .output = output && !indirect, .accumulator = n >= 4 && memcmp(p + n - 4, "{ax}", 4) == 0};
  s->outputs += x->output;
  if (x->output) return true;
  x->value = LLVMGetOperand(s->call, (*argument)++);
  if (!isdigit((unsigned char)*p)) return true;
  unsigned tied = (unsigned)strtoul(p, NULL, 10);
  if (tied >= s->count - 1) return false;
  if (s->operands[tied].output) s->operands[tied].value = x->value;
  return true;
}

static bool read_statement(struct statement *s, LLVMValueRef call) {
  LLVMValueRef assembly = LLVMGetCalledValue(call);
  size_t n;
  const char *text = LLVMGetInlineAsmAsmString(assembly, &n);
  *s = (struct statement){.call = call};
  if (!squeeze(text, n, s->text)) return false;
  unsigned argument = 0;
  const char *p = LLVMGetInlineAsmConstraintString(assembly, &n), *end = p + n;
  while (p < end) {
    const char *comma = memchr(p, ',', (size_t)(end - p));
    if (!comma) comma = end;
    if (comma == p || !read_constraint(s, p, (size_t)(comma - p), &argument)) return false;
    p = comma + 1;
  }
  return s->outputs <= 1;
}

/* "$1", "($1)" for memory at a pointer, "$$7". Leaves *p behind it. */
static bool take_operand(const struct statement *s, const char **p, LLVMTypeRef type, struct operand *out) {
  bool open = **p == '(';
  *p += open;
  if (**p != '$') return false;
  bool immediate = (*p)[1] == '$';
  *p += 1 + immediate;
  if (!isdigit((unsigned char)**p)) return false;
  char *end;
  unsigned long number = strtoul(*p, &end, 10);
  *p = end;
  if (open && *(*p)++ != ')') return false;
  *out = (struct operand){0};
  if (immediate) {
    out->value = LLVMConstInt(type, number, false);
    return !open;
  }
  if (number >= s->count) return false;
  *out = s->operands[number];
  if (open && (out->memory || out->output)) return false;
  out->memory |= open;
  return out->value != NULL;
}

static bool skip_word(const char **p, const char *word) {
  size_t n = strlen(word);
  if (strncmp(*p, word, n) != 0) return false;
  *p += n;
  return true;
}

static LLVMTypeRef take_suffix(const char **p, LLVMContextRef context) {
  static const char letters[] = "bwlq";
  const char *at = **p ? strchr(letters, **p) : NULL;
  if (!at) return NULL;
  (*p)++;
  return LLVMIntTypeInContext(context, 8u << (at - letters));
}

static LLVMValueRef as_type(LLVMBuilderRef b, LLVMValueRef v, LLVMTypeRef type) {
  bool from_pointer = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind, to_pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
  if (LLVMTypeOf(v) == type) return v;
  if (from_pointer) return LLVMBuildPtrToInt(b, v, type, "");
  return to_pointer ? LLVMBuildIntToPtr(b, v, type, "") : LLVMBuildIntCast2(b, v, type, false, "");
}

static bool is_plain(LLVMValueRef v) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
  return kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind;
}

static const struct {
  const char *name;
  LLVMAtomicRMWBinOp operation;
  bool one;   /* it takes no operand but memory */
  bool gives; /* the register gets what was there */
  bool alone; /* it needs no "lock" */
} instructions[] = {{"inc", LLVMAtomicRMWBinOpAdd, true, false, false},  {"dec", LLVMAtomicRMWBinOpSub, true, false, false},
                    {"xadd", LLVMAtomicRMWBinOpAdd, false, true, false}, {"xchg", LLVMAtomicRMWBinOpXchg, false, true, true},
                    {"add", LLVMAtomicRMWBinOpAdd, false, false, false}, {"sub", LLVMAtomicRMWBinOpSub, false, false, false},
                    {"and", LLVMAtomicRMWBinOpAnd, false, false, false}, {"xor", LLVMAtomicRMWBinOpXor, false, false, false},
                    {"or", LLVMAtomicRMWBinOpOr, false, false, false}};

static void put_result(LLVMBuilderRef b, const struct statement *s, LLVMValueRef before) {
  if (s->outputs) LLVMReplaceAllUsesWith(s->call, as_type(b, before, LLVMTypeOf(s->call)));
  LLVMInstructionEraseFromParent(s->call);
}

/* cmpxchg REGISTER, MEMORY: the accumulator is compared, and gets what was there. */
static bool replace_exchange(LLVMBuilderRef b, const struct statement *s, LLVMTypeRef type, const char *p) {
  struct operand wanted, memory;
  const struct operand *expected = NULL;
  if (!take_operand(s, &p, type, &wanted) || *p++ != ',' || !take_operand(s, &p, type, &memory) || *p) return false;
  for (unsigned i = 0; i < s->count; i++)
    if (s->operands[i].output && s->operands[i].accumulator) expected = &s->operands[i];
  if (!expected || !expected->value || !memory.memory || wanted.memory || !is_plain(wanted.value) || !is_plain(expected->value))
    return false;
  LLVMValueRef pair = LLVMBuildAtomicCmpXchg(b, memory.value, as_type(b, expected->value, type), as_type(b, wanted.value, type),
                                             LLVMAtomicOrderingSequentiallyConsistent, LLVMAtomicOrderingSequentiallyConsistent, false);
  put_result(b, s, LLVMBuildExtractValue(b, pair, 0, ""));
  return true;
}

static bool replace_statement(LLVMBuilderRef b, const struct statement *s) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(s->call));
  const char *p = s->text;
  bool locked = skip_word(&p, "lock");
  if (locked && skip_word(&p, "cmpxchg")) {
    LLVMTypeRef type = take_suffix(&p, context);
    return type && replace_exchange(b, s, type, p);
  }
  for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++) {
    const char *at = p;
    if ((!locked && !instructions[i].alone) || !skip_word(&at, instructions[i].name)) continue;
    LLVMTypeRef type = take_suffix(&at, context);
    struct operand x = {0}, memory = {0};
    if (!type) continue;
    if (instructions[i].one)
      x.value = LLVMConstInt(type, 1, false);
    else if (!take_operand(s, &at, type, &x) || *at++ != ',')
      return false;
    if (!take_operand(s, &at, type, &memory) || *at) return false;
    if (x.memory && !memory.memory && instructions[i].alone) { /* the order of xchg's operands is free */
      struct operand other = x;
      x = memory, memory = other;
    }
    if (!memory.memory || x.memory || !is_plain(x.value) || instructions[i].gives != (s->outputs == 1) || (s->outputs && !x.output))
      return false;
    LLVMValueRef before = LLVMBuildAtomicRMW(b, instructions[i].operation, memory.value, as_type(b, x.value, type),
                                             LLVMAtomicOrderingSequentiallyConsistent, false);
    put_result(b, s, before);
    return true;
  }
  return false;
}

void locked_replace(LLVMModuleRef module) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef v = LLVMGetFirstInstruction(block), next; v; v = next) {
        next = LLVMGetNextInstruction(v);
        struct statement s;
        if (!LLVMIsACallInst(v) || !LLVMIsAInlineAsm(LLVMGetCalledValue(v)) || !read_statement(&s, v)) continue;
        LLVMPositionBuilderBefore(b, v);
        LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(v));
        replace_statement(b, &s);
      }
  LLVMDisposeBuilder(b);
}
