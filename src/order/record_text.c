/* The text form of a record. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "order/record.h"

static const char *const op_names[] = {
#define X(name, text) [RECORD_##name] = text,
    RECORD_LIST(X)
#undef X
};
static const char *const answer_names[] = {[ORDER_NO] = "no", [ORDER_YES] = "yes", [ORDER_UNKNOWN] = "unknown"};

static void dump_lit(struct text *out, struct record_lit l) {
  if (l.a != RECORD_IS && l.a != RECORD_IS_NOT)
    text_printf(out, " %u<%u", l.a, l.b);
  else if (l.b == RECORD_TRUE)
    text_puts(out, l.a == RECORD_IS ? " true" : " false");
  else
    text_printf(out, " %sx%u", l.a == RECORD_IS ? "" : "!", l.b);
}

void order_dump(const struct order_record *r, struct text *out) {
  text_puts(out, "order 1\n");
  for (size_t i = 0; i < r->steps.count; i++) {
    const struct record_step *s = &r->steps.data[i];
    text_puts(out, op_names[s->op]);
    if (s->op == RECORD_CHAINS || s->op == RECORD_EVENT || s->op == RECORD_EDGE) text_printf(out, " %u", s->a);
    if (s->op == RECORD_EDGE) text_printf(out, " %u", s->b);
    if (s->op == RECORD_SOLVE) text_printf(out, " %s", answer_names[s->a]);
    for (uint32_t j = 0; j < s->count; j++) dump_lit(out, r->lits.data[s->lits + j]);
    text_putc(out, '\n');
  }
}

struct counts {
  uint32_t events, booleans;
};

/* What is being read, and what a line may name so far. */
struct loader {
  const char *at;
  uint32_t line;
  uint32_t chains, events, booleans;
  VEC(struct counts) levels;
  struct diag *diag;
};

static enum err fail(struct loader *l, const char *what) { return diag_set(l->diag, ERR_FORMAT, "line %u: %s", l->line, what); }

static void skip_blanks(struct loader *l) {
  while (*l->at == ' ') l->at++;
}

/* The next word of the line if it is `word`. */
static bool take(struct loader *l, const char *word) {
  size_t n = strlen(word);
  skip_blanks(l);
  if (strncmp(l->at, word, n) != 0 || isalnum((unsigned char)l->at[n])) return false;
  l->at += n;
  return true;
}

/* A number below `limit`. */
static bool number(struct loader *l, uint32_t limit, uint32_t *out) {
  char *end;
  skip_blanks(l);
  if (!isdigit((unsigned char)*l->at)) return false;
  unsigned long long n = strtoull(l->at, &end, 10);
  l->at = end;
  *out = (uint32_t)n;
  return n < limit;
}

static bool literal(struct loader *l, struct record_lit *out) {
  bool positive = true;
  skip_blanks(l);
  if (take(l, "true")) return *out = (struct record_lit){RECORD_IS, RECORD_TRUE}, true;
  if (take(l, "false")) return *out = (struct record_lit){RECORD_IS_NOT, RECORD_TRUE}, true;
  if (*l->at == '!') l->at++, positive = false;
  if (*l->at == 'x') {
    l->at++;
    out->a = positive ? RECORD_IS : RECORD_IS_NOT;
    return number(l, l->booleans, &out->b);
  }
  if (!positive || !number(l, l->events, &out->a) || *l->at++ != '<') return false;
  return number(l, l->events, &out->b) && out->a != out->b;
}

static bool answer(struct loader *l, uint32_t *out) {
  for (uint32_t i = 0; i < sizeof answer_names / sizeof *answer_names; i++) {
    if (take(l, answer_names[i])) return *out = i, true;
  }
  return false;
}

static bool level(struct loader *l, enum record_op op) {
  if (op == RECORD_PUSH) {
    *vec_push(&l->levels) = (struct counts){l->events, l->booleans};
    return true;
  }
  if (!l->levels.count) return false;
  l->events = vec_last(&l->levels).events, l->booleans = vec_last(&l->levels).booleans;
  l->levels.count--;
  return true;
}

/* What comes between the step's name and its literals. */
static bool operands(struct loader *l, struct record_step *s) {
  switch (s->op) {
    case RECORD_CHAINS:
      if (l->levels.count || !number(l, UINT16_MAX, &s->a)) return false;
      l->chains = s->a, l->events = l->booleans = 0;
      return true;
    case RECORD_EVENT:
      return l->events++, number(l, l->chains, &s->a);
    case RECORD_EDGE:
      return number(l, l->events, &s->a) && number(l, l->events, &s->b);
    case RECORD_VAR:
      return l->booleans++, true;
    case RECORD_PUSH:
    case RECORD_POP:
      return level(l, s->op);
    case RECORD_SOLVE:
      return answer(l, &s->a);
    case RECORD_PHASE:
    case RECORD_CLAUSE:
    case RECORD_KNOWN:
      return true;
  }
  return false;
}

static enum err load_line(struct loader *l, struct order_record *r) {
  struct record_step s = {.lits = (uint32_t)r->lits.count};
  size_t op = 0, ops = sizeof op_names / sizeof *op_names;
  while (op < ops && !take(l, op_names[op])) op++;
  if (op == ops) return fail(l, "no such step");
  s.op = (enum record_op)op;
  if (!operands(l, &s)) return fail(l, "wrong operands");
  bool wants = s.op == RECORD_PHASE || s.op == RECORD_CLAUSE || s.op == RECORD_KNOWN || s.op == RECORD_SOLVE;
  for (skip_blanks(l); wants && *l->at && *l->at != '\n'; skip_blanks(l), s.count++) {
    struct record_lit lit;
    if (!literal(l, &lit)) return fail(l, "wrong literal");
    *vec_push(&r->lits) = lit;
  }
  if (*l->at && *l->at != '\n') return fail(l, "more than was expected");
  if ((s.op == RECORD_PHASE || s.op == RECORD_KNOWN) && s.count != 1) return fail(l, "one literal was expected");
  *vec_push(&r->steps) = s;
  return ERR_NONE;
}

enum err order_load(struct order_record *r, const char *text, struct diag *d) {
  struct loader l = {.at = text, .line = 1, .diag = d};
  enum err e = ERR_NONE;
  if (strncmp(text, "order 1\n", 8) != 0)
    e = fail(&l, "this is not a recorded problem: `order 1` was expected");
  else
    l.at += 8;
  while (e == ERR_NONE && *l.at) {
    l.line++;
    if (*l.at != '\n') e = load_line(&l, r);
    if (*l.at == '\n') l.at++;
  }
  if (e == ERR_NONE && r->steps.count && r->steps.data[0].op != RECORD_CHAINS) e = fail(&l, "the first step must be `chains`");
  vec_release(&l.levels);
  return e;
}
