/* Inline assembly: barriers, hints, and questions about the processor. Anything else is refused. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "program/insn.h"
#include "program/lower/lower.h"
#include "trace/event.h"

/* The assembler text with blanks and separators squeezed: "rep; nop" and "rep\tnop" are the same. */
static void squeeze(const char *text, size_t n, char *out, size_t most) {
  size_t k = 0;
  for (size_t i = 0; i < n && k + 1 < most; i++) {
    bool blank = isspace((unsigned char)text[i]) || text[i] == ';';
    if (!blank) out[k++] = (char)tolower((unsigned char)text[i]);
  }
  out[k] = 0;
}

/* --- operands --- */

#define OPERANDS 16

/* A value that the statement takes or gives. Memory operands are addresses that it takes. */
struct operand {
  char reg[8];   /* "ax"; empty: any register or memory */
  uint32_t tied; /* of an input: the output in whose register it is, or NONE */
  uint32_t into; /* of an input: the one that is the address of the output that it is tied to, or NONE */
  uint32_t slot, slots;
};

struct operands {
  struct operand in[OPERANDS], out[OPERANDS];
  uint32_t output_of[OPERANDS];  /* constraint number -> output, NONE: of a memory operand */
  uint32_t address_of[OPERANDS]; /* constraint number -> input that is the address of an output in memory, or NONE */
  uint32_t nin, nout, nconstraints;
  bool too_many;
};

static void read_register(const char *p, const char *end, char reg[8]) {
  const char *open = memchr(p, '{', (size_t)(end - p)), *close = open ? memchr(open, '}', (size_t)(end - open)) : NULL;
  if (close && close - open - 1 < 8) memcpy(reg, open + 1, (size_t)(close - open - 1));
}

static void add_output(struct fn *f, LLVMValueRef v, struct operands *o, const char *p, const char *end) {
  const struct type_info *t = type_of_value(f->l, v), *element = t;
  uint32_t slot = 0;
  uint64_t offset;
  struct operand *x = &o->out[o->nout];
  if (t->class == T_STRUCT && o->nout < t->count) element = type_element(f->l, t, o->nout, &slot, &offset);
  *x = (struct operand){.tied = NONE, .slot = slot, .slots = element->slots};
  read_register(p, end, x->reg);
  o->nout++;
}

static void add_input(struct fn *f, LLVMValueRef v, struct operands *o, const char *p, const char *end) {
  LLVMValueRef argument = LLVMGetOperand(v, o->nin);
  struct operand *x = &o->in[o->nin++];
  *x = (struct operand){.tied = NONE, .into = NONE, .slot = use_slot(f, argument), .slots = type_of_value(f->l, argument)->slots};
  uint32_t number = isdigit((unsigned char)*p) ? (uint32_t)strtoul(p, NULL, 10) : NONE;
  if (number < o->nconstraints) x->tied = o->output_of[number], x->into = o->address_of[number];
  read_register(p, end, x->reg);
  if (x->tied < o->nout) memcpy(x->reg, o->out[x->tied].reg, sizeof x->reg);
}

/* Outputs' slots are counted from the first of the result, which is defined here. */
static struct operands operands_of(struct fn *f, LLVMValueRef v, LLVMValueRef assembly) {
  struct operands o = {0};
  size_t n;
  const char *p = LLVMGetInlineAsmConstraintString(assembly, &n), *end = p + n;
  for (; p < end && !o.too_many; p++) {
    const char *comma = memchr(p, ',', (size_t)(end - p));
    if (!comma) comma = end;
    bool indirect = memchr(p, '*', (size_t)(comma - p)) != NULL;
    if (o.nconstraints == OPERANDS)
      o.too_many = true;
    else if (*p == '=' && !indirect)
      add_output(f, v, &o, p, comma);
    else if (*p != '~')
      add_input(f, v, &o, p, comma);
    if (!o.too_many) {
      o.output_of[o.nconstraints] = *p == '=' && !indirect ? o.nout - 1 : NONE;
      o.address_of[o.nconstraints++] = *p == '=' && indirect ? o.nin - 1 : NONE;
    }
    p = comma;
  }
  return o;
}

/* --- statements --- */

static uint32_t define(struct fn *f, LLVMValueRef v, const struct operands *o) {
  if (o->nout == 0) return 0;
  uint32_t d = def_slot(f, v);
  for (uint32_t i = 0; i < o->nout; i++)
    for (uint32_t k = 0; k < o->out[i].slots; k++) emit_load_constant(f, d + o->out[i].slot + k, 0);
  return d;
}

/* A statement without instructions passes each output the input tied to it. */
static void pass_tied_operands(struct fn *f, LLVMValueRef v, const struct operands *o) {
  uint32_t d = define(f, v, o);
  for (uint32_t i = 0; i < o->nin; i++) {
    if (o->in[i].tied < o->nout) emit_copy(f, d + o->out[o->in[i].tied].slot, o->in[i].slot, o->out[o->in[i].tied].slots);
    if (o->in[i].into < o->nin) emit_store_at(f, o->in[i].slot, type_of_value(f->l, LLVMGetOperand(v, i)), o->in[o->in[i].into].slot, 0);
  }
}

static const struct operand *input_in(const struct operands *o, const char *reg) {
  for (uint32_t i = 0; i < o->nin; i++)
    if (strcmp(o->in[i].reg, reg) == 0) return &o->in[i];
  return NULL;
}

/* cpuid: each output asks the machine. An output in any register is ebx, exchanged with what has to stay in rbx (<cpuid.h>). */
static void ask_processor(struct fn *f, LLVMValueRef v, const struct operands *o) {
  static const char *const registers[] = {"ax", "bx", "cx", "dx"};
  const struct operand *leaf = input_in(o, "ax"), *subleaf = input_in(o, "cx");
  uint32_t d = define(f, v, o), zero = constant_slot(f, 0);
  for (uint32_t i = 0; i < o->nout; i++) {
    uint32_t reg = 1;
    for (uint32_t k = 0; k < 4; k++)
      if (strcmp(o->out[i].reg, registers[k]) == 0) reg = k;
    uint32_t args[3] = {leaf ? leaf->slot : zero, subleaf ? subleaf->slot : zero, constant_slot(f, reg)};
    emit_extern_call(f, "__hd_cpuid", d + o->out[i].slot, 1, args, 3);
  }
}

static bool is_cpuid(const char *s) {
  static const char *const shapes[] = {"cpuid", "xchgq%rbx,${1:q}cpuidxchgq%rbx,${1:q}", "xchg{l}{%ebx,}${1:k}cpuidxchg{l}{%ebx,}${1:k}",
                                       "movq%rbx,${1:q}cpuidxchgq%rbx,${1:q}", "pushq%rbxcpuidmovl%ebx,$1popq%rbx"};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    if (strcmp(s, shapes[i]) == 0) return true;
  return false;
}

/* Alignment of code, comments, instructions that do nothing that a program could tell, one or several. */
static bool does_nothing(const char *s) {
  static const char *const words[] = {"nop", ".p2align", ".balign", ".align"};
  while (*s && *s != '#') {
    size_t i = 0, n = 0;
    while (i < sizeof words / sizeof *words && strncmp(s, words[i], n = strlen(words[i])) != 0) i++;
    if (i == sizeof words / sizeof *words) return false;
    s += n;
    if (words[i][0] == '.') s += strspn(s, "0123456789,x");
  }
  return true;
}

static bool is_locked_nothing(const char *s) {
  return (strncmp(s, "lockadd", 7) == 0 || strncmp(s, "lockor", 6) == 0) && strstr(s, "$$0") && strstr(s, "sp)");
}

void emit_assembly(struct fn *f, LLVMValueRef v, LLVMValueRef assembly) {
  size_t n;
  const char *text = LLVMGetInlineAsmAsmString(assembly, &n);
  char s[256];
  squeeze(text, n, s, sizeof s);
  struct operands o = operands_of(f, v, assembly);
  if (n >= sizeof s || o.too_many || f->l->failed)
    lower_fail(f->l, v, "inline assembly \"%.*s\"", (int)n, text);
  else if (does_nothing(s))
    pass_tied_operands(f, v, &o);
  else if (strncmp(s, "prefetch", 8) == 0 && o.nout == 0)
    return;
  else if (is_cpuid(s))
    ask_processor(f, v, &o);
  else if (strcmp(s, "pause") == 0 || strcmp(s, "repnop") == 0)
    emit_extern_call(f, "__hd_yield", 0, 0, NULL, 0);
  else if (strcmp(s, "mfence") == 0 || is_locked_nothing(s))
    emit(f, OP_FENCE, ORDER_SEQ_CST, 0, 0);
  else if (strcmp(s, "lfence") == 0)
    emit(f, OP_FENCE, ORDER_ACQUIRE, 0, 0);
  else if (strcmp(s, "sfence") == 0)
    emit(f, OP_FENCE, ORDER_RELEASE, 0, 0);
  else
    lower_fail(f->l, v, "inline assembly \"%.*s\"", (int)n, text);
}
