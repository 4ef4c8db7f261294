#include "program/lower/statement.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[STATEMENT_REGISTERS] = {"ax", "bx", "cx", "dx", "si", "di", "bp", "sp"};

/* --- registers --- */

/* "rax", "eax", "ax", "al": 0, and how many bits; -1 if it is none of these. */
static int register_index(const char *p, size_t n, unsigned *bits) {
  *bits = 16;
  if (n == 3 && (*p == 'r' || *p == 'e')) *bits = *p == 'r' ? 64 : 32, p++, n--;
  if (n == 2 && p[1] == 'l' && *bits == 16) {
    *bits = 8;
    for (int i = 0; i < 4; i++)
      if (names[i][0] == p[0]) return i;
  }
  for (int i = 0; n == 2 && i < STATEMENT_REGISTERS && names[i]; i++)
    if (memcmp(names[i], p, 2) == 0) return i;
  return -1;
}

LLVMValueRef *statement_register(struct statement *s, const char *name) {
  unsigned bits;
  return &s->registers[register_index(name, strlen(name), &bits)];
}

static LLVMValueRef *place_of(struct statement *s, struct statement_operand *x) {
  struct statement_operand *o = &s->operands[x->alias];
  return o->reg >= 0 ? &s->registers[o->reg] : &o->value;
}

/* --- constraints --- */

/* "{ax}", "{@ccz}" */
static bool read_name(struct statement_operand *x, const char *p, size_t n) {
  const char *open = memchr(p, '{', n), *close = open ? memchr(open, '}', (size_t)(p + n - open)) : NULL;
  unsigned bits;
  if (!close) return memchr(p, '@', n) == NULL;
  if (open[1] == '@') {
    size_t length = (size_t)(close - open - 2);
    if (length == 3 && memcmp(open + 2, "ccz", 3) == 0) return x->flag = 'z', true;
    if (length == 3 && memcmp(open + 2, "ccc", 3) == 0) return x->flag = 'c', true;
    return length == 3 && memcmp(open + 2, "cce", 3) == 0 && (x->flag = 'z');
  }
  x->reg = register_index(open + 1, (size_t)(close - open - 1), &bits);
  return x->reg >= 0;
}

/* One constraint: the next operand. */
static bool read_constraint(struct statement *s, const char *p, size_t n, unsigned *argument) {
  bool output = *p == '=', indirect = memchr(p, '*', n) != NULL;
  if (*p == '~') return true;
  if (s->count == STATEMENT_OPERANDS) return false;
  struct statement_operand *x = &s->operands[s->count];
  *x = (struct statement_operand){.memory = indirect, .output = output && !indirect, .alias = s->count, .reg = -1};
  s->count++;
  s->outputs += x->output;
  if (!read_name(x, p, n)) return false;
  if (x->output) return true;
  LLVMValueRef value = LLVMGetOperand(s->call, (*argument)++);
  if (isdigit((unsigned char)*p)) {
    x->alias = (unsigned)strtoul(p, NULL, 10);
    if (x->alias >= s->count - 1 || !s->operands[x->alias].output || s->operands[x->alias].flag) return false;
  }
  if (indirect)
    x->value = value;
  else
    *place_of(s, x) = value;
  return true;
}

bool statement_read(struct statement *s, LLVMValueRef call) {
  LLVMValueRef assembly = LLVMGetCalledValue(call);
  *s = (struct statement){.call = call};
  size_t n;
  const char *text = LLVMGetInlineAsmAsmString(assembly, &n);
  if (n >= sizeof s->line || LLVMGetInlineAsmDialect(assembly) != LLVMInlineAsmDialectATT) return false;
  for (size_t i = 0; i < n; i++) s->line[i] = (char)tolower((unsigned char)text[i]);
  s->line[n] = 0;
  s->text = s->line;
  unsigned argument = 0;
  const char *p = LLVMGetInlineAsmConstraintString(assembly, &n), *end = p + n;
  while (p < end) {
    const char *comma = memchr(p, ',', (size_t)(end - p));
    if (!comma) comma = end;
    if (comma == p || !read_constraint(s, p, (size_t)(comma - p), &argument)) return false;
    p = comma + 1;
  }
  return true;
}

/* --- text --- */

static void skip_blanks(const char **p) { *p += strspn(*p, " \t"); }
static bool skip(const char **p, char c) {
  skip_blanks(p);
  if (**p != c) return false;
  (*p)++;
  return true;
}

/* "$1", "${1:q}": of the statement */
static bool take_reference(struct statement *s, const char **p, struct place *out, bool *memory) {
  bool brace = skip(p, '{');
  if (!isdigit((unsigned char)**p)) return false;
  char *end;
  unsigned long number = strtoul(*p, &end, 10);
  *p = end;
  if (brace && skip(p, ':') && !strchr("bwlkq", *(*p)++)) return false;
  if ((brace && !skip(p, '}')) || number >= s->count || s->operands[number].flag) return false;
  struct statement_operand *x = &s->operands[number];
  *memory = x->memory;
  if (x->memory)
    *out = (struct place){.kind = PLACE_MEMORY, .base = x->value};
  else
    *out = (struct place){.kind = PLACE_REGISTER, .value = place_of(s, x)};
  return true;
}

/* "%rax", or "%%" of a statement without operands' */
static bool take_register(struct statement *s, const char **p, struct place *out) {
  size_t n = 0;
  while (isalpha((unsigned char)(*p)[n])) n++;
  unsigned bits;
  int index = register_index(*p, n, &bits);
  if (index < 0) return false;
  *p += n;
  *out = (struct place){.kind = PLACE_REGISTER, .value = &s->registers[index], .bits = bits};
  return true;
}

/* "$1", "%rax", "$$7", "($1)", "8($1)" */
static bool take_place(struct statement *s, const char **p, struct place *out) {
  bool memory = false;
  skip_blanks(p);
  if ((*p)[0] == '$' && (*p)[1] == '$') {
    char *end;
    *out = (struct place){.kind = PLACE_IMMEDIATE, .number = strtol(*p + 2, &end, 0)};
    bool some = end != *p + 2;
    *p = end;
    return some;
  }
  if (skip(p, '$')) return take_reference(s, p, out, &memory);
  if (skip(p, '%')) return take_register(s, p, out);
  char *end;
  long number = strtol(*p, &end, 0);
  *p = end;
  if (!skip(p, '(')) return false;
  bool known = skip(p, '$') ? take_reference(s, p, out, &memory) : skip(p, '%') && take_register(s, p, out);
  if (!known || memory || !*out->value || !skip(p, ')')) return false;
  *out = (struct place){.kind = PLACE_MEMORY, .base = *out->value, .number = number};
  return true;
}

static bool take_word(const char **p, char *word, size_t most) {
  size_t n = 0;
  skip_blanks(p);
  while (isalnum((unsigned char)**p) && n + 1 < most) word[n++] = *(*p)++;
  word[n] = 0;
  return n > 0;
}

bool statement_next(struct statement *s, struct instruction *i, bool *bad) {
  const char *p = s->text + strspn(s->text, " \t\n;");
  *i = (struct instruction){0};
  *bad = *p != 0;
  if (!*p || !take_word(&p, i->mnemonic, sizeof i->mnemonic)) return false;
  i->lock = strcmp(i->mnemonic, "lock") == 0;
  if (i->lock) {
    p += strspn(p, " \t\n;");
    if (!take_word(&p, i->mnemonic, sizeof i->mnemonic)) return false;
  }
  do {
    skip_blanks(&p);
    if (!*p || *p == ';' || *p == '\n') break;
    if (i->count == INSTRUCTION_OPERANDS || !take_place(s, &p, &i->places[i->count])) return false;
    i->count++;
  } while (skip(&p, ','));
  skip_blanks(&p);
  if (*p && *p != ';' && *p != '\n') return false;
  s->text = p;
  *bad = false;
  return true;
}
