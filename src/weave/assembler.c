#include "weave/assembler.h"

#include <ctype.h>
#include <string.h>

/* An instruction of the text. */
struct instruction {
  const char *name, *operands, *end;
  size_t length; /* of the name */
};

static const char spaces[] = " \t", separators[] = ";\n";

static bool next_instruction(const char **at, struct instruction *i) {
  *at += strspn(*at, " \t;\n");
  if (!**at) return false;
  i->name = *at, i->end = *at + strcspn(*at, separators);
  i->length = strcspn(i->name, " \t;\n");
  if (i->length == 4 && strncmp(i->name, "lock", 4) == 0 && i->end != i->name + 4) { /* else it is on its own */
    i->name += 4 + strspn(i->name + 4, spaces);
    i->length = strcspn(i->name, " \t;\n");
  }
  i->operands = i->name + i->length;
  *at = i->end;
  return true;
}

/* The bytes of memory that it accesses, if it is one of those that update memory, or copy; 0: not known. */
static uint64_t accessed(const struct instruction *i) {
  static const char *const stems[] = {"mov", "xchg", "xadd", "cmpxchg", "add", "sub", "inc", "dec", "and",
                                      "or",  "xor",  "not",  "neg",     "bts", "btr", "btc", "cmp", "test"};
  static const struct {
    const char *name;
    uint64_t size;
  } wide[] = {{"cmpxchg8b", 8}, {"cmpxchg16b", 16}};
  static const char suffixes[] = "bwlq";
  for (size_t k = 0; k < sizeof wide / sizeof *wide; k++)
    if (strlen(wide[k].name) == i->length && strncmp(i->name, wide[k].name, i->length) == 0) return wide[k].size;
  const char *suffix = i->length ? strchr(suffixes, i->name[i->length - 1]) : NULL;
  for (size_t k = 0; suffix && *suffix && k < sizeof stems / sizeof *stems; k++)
    if (strlen(stems[k]) == i->length - 1 && strncmp(i->name, stems[k], i->length - 1) == 0) return 1u << (suffix - suffixes);
  return 0;
}

/* The next place where the operand stands, $1 or ${1:q}; `*end`: behind it. NULL: none. */
static const char *find_operand(const char *from, const char *to, unsigned number, const char **end) {
  for (const char *at = from; at < to; at++) {
    if (*at != '$') continue;
    if (at[1] == '$') { /* a constant of the text's */
      at++;
      continue;
    }
    const char *digits = at + 1 + (at[1] == '{'), *last = digits;
    unsigned n = 0;
    for (; isdigit((unsigned char)*last); last++) n = n * 10 + (unsigned)(*last - '0');
    if (last == digits || n != number) continue;
    *end = at[1] == '{' ? strchr(last, '}') : last;
    if (*end && at[1] == '{') ++*end;
    return *end ? at : NULL;
  }
  return NULL;
}

/* How large the operand is by the instructions that name it: as memory itself, or as an address (`($1)`). 0: that is not known of
 * all of them. */
static uint64_t size_by_text(const char *text, unsigned number, bool is_address) {
  uint64_t most = 0;
  for (struct instruction i; next_instruction(&text, &i);)
    for (const char *end, *at = i.operands; (at = find_operand(at, i.end, number, &end)); at = end) {
      bool alone = at[-1] == '(' && strchr(" \t,", at[-2]) && *end == ')';
      uint64_t size = accessed(&i);
      if (size == 0 || (is_address && !alone)) return 0;
      if (size > most) most = size;
    }
  return most;
}

/* Is all memory that the text accesses named in it: are all instructions such that have no other, and all addresses operands? */
static bool names_all(const char *text) {
  static const char *const begins[] = {"set", "j", "cmov", "mfence", "lfence", "sfence", "lock", "nop", "pause"};
  for (const char *at = text; (at = strchr(at, '(')); at++)
    if (at == text || !strchr(" \t,", at[-1]) || at[1] != '$') return false;
  for (struct instruction i; next_instruction(&text, &i);) {
    bool known = accessed(&i) > 0;
    for (size_t k = 0; k < sizeof begins / sizeof *begins && !known; k++) known = strncmp(i.name, begins[k], strlen(begins[k])) == 0;
    if (!known) return false;
  }
  return true;
}

/* Nothing, or one instruction that accesses no operand: a hint to the processor, the address alone. */
static bool is_hint(const char *text) {
  static const char *const begins[] = {"pause", "nop", "rep nop", "prefetch", "clflush", "lea"};
  struct instruction i, other;
  if (!next_instruction(&text, &i)) return true;
  bool rep = i.length == 3 && strncmp(i.name, "rep", 3) == 0 && i.end == i.name + 3; /* `rep; nop` is `pause` */
  if (rep && !next_instruction(&text, &i)) return false;
  for (size_t k = 0; k < sizeof begins / sizeof *begins; k++)
    if (strncmp(i.name, begins[k], strlen(begins[k])) == 0) return !next_instruction(&text, &other);
  return false;
}

/* Labels, for loops, and calls of functions or the system. Operands may have a colon, too: ${0:q}. */
static bool may_wait(const char *text) {
  unsigned inside = 0;
  for (const char *at = text; *at; at++) {
    inside += *at == '{';
    inside -= *at == '}' && inside > 0;
    if (*at == ':' && inside == 0) return true;
  }
  return strstr(text, "call") || strstr(text, "sysenter") || strstr(text, "int $");
}

/* `told`: its size by its type, `named`: by the instructions that name it, which is right if it is known. */
static void add_operand(struct assembler *a, LLVMValueRef address, uint64_t told, uint64_t named, bool reads, bool writes) {
  unsigned i = 0;
  while (i < a->n && a->operands[i].address != address) i++;
  if (i == ASSEMBLER_OPERANDS) {
    a->unseen = true;
    return;
  }
  if (i == a->n) a->operands[a->n++] = (struct assembler_operand){.address = address};
  struct assembler_operand *o = &a->operands[i];
  if (named > o->named) o->named = named;
  o->size = o->named ? o->named : told > o->size ? told : o->size;
  o->reads |= reads, o->writes |= writes;
  o->atomic = (o->size & (o->size - 1)) == 0 && (o->size <= ASSEMBLER_ATOMIC || o->named);
}

static uint64_t size_by_type(LLVMTargetDataRef data, LLVMValueRef call, unsigned argument) {
  static const char name[] = "elementtype";
  LLVMAttributeRef type = LLVMGetCallSiteEnumAttribute(call, argument + 1, LLVMGetEnumAttributeKindForName(name, sizeof name - 1));
  return type ? LLVMABISizeOfType(data, LLVMGetTypeAttributeValue(type)) : 0;
}

void assembler_read(struct assembler *a, LLVMTargetDataRef data, LLVMValueRef call) {
  static const char memory[] = "~{memory}";
  LLVMValueRef code = LLVMGetCalledValue(call);
  size_t ignored, length;
  const char *text = LLVMGetInlineAsmAsmString(code, &ignored), *at = LLVMGetInlineAsmConstraintString(code, &ignored);
  bool points = false;
  unsigned argument = 0, number = 0;
  *a = (struct assembler){0};
  if (is_hint(text)) return;
  for (; *at; at += length + (at[length] == ',')) {
    length = strcspn(at, ",");
    if (*at == '~') a->fence |= length == strlen(memory) && strncmp(at, memory, length) == 0;
    if (*at == '~' || *at == '!') continue;
    bool output = *at == '=', indirect = memchr(at, '*', length) != NULL;
    unsigned operand = number++;
    if (output && !indirect) continue; /* a result of the call */
    LLVMValueRef value = LLVMGetOperand(call, argument++);
    bool pointer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
    uint64_t size = pointer ? size_by_text(text, operand, !indirect) : 0, told = indirect ? size_by_type(data, call, argument - 1) : 0;
    if (pointer && (indirect || size))
      add_operand(a, value, told, size, !output, output || !indirect);
    else
      points |= pointer && !LLVMIsAConstant(value);
  }
  a->unseen |= a->fence && points && !names_all(text);
  a->waits = may_wait(text);
}
