#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "property/internal.h"

bool reader_fail(struct reader *r, const struct property_text *at, const char *format, ...) {
  if (r->e) return false;
  struct text message = {0};
  va_list args;
  va_start(args, format);
  text_vprintf(&message, format, args);
  va_end(args);
  r->e = diag_set(r->d, ERR_FORMAT, "%s:%u:%u: %s", r->file, at->line, at->column, text_str(&message));
  text_release(&message);
  return false;
}

static bool begins_name(char c) { return isalpha((unsigned char)c) || c == '_'; }
static bool goes_on(const char *at) { return begins_name(*at) || isdigit((unsigned char)*at) || (at[0] == ':' && at[1] == ':'); }

/* "::" may have the "~" of a destructor behind it. */
static void read_name(struct reader *r, struct token *t) {
  while (goes_on(r->at)) {
    bool parts = *r->at == ':';
    r->at += parts ? 2 : 1;
    if (parts && *r->at == '~') r->at++;
  }
  t->kind = TOKEN_NAME;
  if (r->at - t->text.at > PROPERTY_NAME) reader_fail(r, &t->text, "a name of more than %d characters", PROPERTY_NAME);
}

static void read_number(struct reader *r, struct token *t) {
  char *end;
  bool negative = *r->at == '-';
  int base = r->at[negative] == '0' && (r->at[negative + 1] | 32) == 'x' ? 16 : 10;
  t->kind = TOKEN_NUMBER;
  uint64_t n = strtoull(r->at + negative, &end, base);
  t->number = negative ? -n : n;
  if (goes_on(end)) reader_fail(r, &t->text, "a number that goes on with a letter");
  r->at = end;
}

static void skip(struct reader *r) {
  for (;; r->at++) {
    if (*r->at == '#')
      while (r->at[1] && r->at[1] != '\n') r->at++;
    else if (*r->at == '\n')
      r->line++, r->line_start = r->at + 1;
    else if (!*r->at || !isspace((unsigned char)*r->at))
      return;
  }
}

void reader_next(struct reader *r) {
  skip(r);
  struct token t = {.text = {.at = r->at, .line = r->line, .column = (uint32_t)(r->at - r->line_start) + 1}};
  char c = *r->at;
  if (begins_name(c)) {
    read_name(r, &t);
  } else if (isdigit((unsigned char)c) || (c == '-' && isdigit((unsigned char)r->at[1]))) {
    read_number(r, &t);
  } else if (c == '|' && r->at[1] == '|') {
    t.kind = TOKEN_PARALLEL, r->at += 2;
  } else if (c && strchr("(){},.|&!?*+<>=", c)) {
    t.kind = TOKEN_SIGN, t.sign = c, r->at++;
  } else if (c) {
    reader_fail(r, &t.text, isprint((unsigned char)c) ? "`%c' means nothing here" : "a character that means nothing here (%#x)",
                isprint((unsigned char)c) ? c : (unsigned char)c);
  }
  if (r->e) t.kind = TOKEN_END;
  t.text.length = (uint32_t)(r->at - t.text.at);
  r->token = t;
}

void reader_begin(struct reader *r, const char *text, const char *file, struct diag *d) {
  *r = (struct reader){.at = text, .line_start = text, .file = file, .line = 1, .d = d};
  reader_next(r);
}

bool reader_expected(struct reader *r, const char *what) {
  const struct property_text *t = &r->token.text;
  if (r->token.kind == TOKEN_END) return reader_fail(r, t, "expected %s, found the end of the file", what);
  return reader_fail(r, t, "expected %s, found `%.*s'", what, (int)t->length, t->at);
}

bool property_text_is(const struct property_text *t, const char *word) {
  return strlen(word) == t->length && memcmp(word, t->at, t->length) == 0;
}
bool property_text_same(const struct property_text *a, const struct property_text *b) {
  return a->length == b->length && memcmp(a->at, b->at, a->length) == 0;
}

bool reader_takes_sign(struct reader *r, char sign) {
  if (r->token.kind != TOKEN_SIGN || r->token.sign != sign) return false;
  reader_next(r);
  return true;
}
bool reader_takes_word(struct reader *r, const char *word) {
  if (r->token.kind != TOKEN_NAME || !property_text_is(&r->token.text, word)) return false;
  reader_next(r);
  return true;
}
bool reader_needs_sign(struct reader *r, char sign) {
  return reader_takes_sign(r, sign) || reader_expected(r, (char[]){'`', sign, '\'', 0});
}
bool reader_needs_name(struct reader *r, const char *what, struct property_text *name) {
  if (r->token.kind != TOKEN_NAME) return reader_expected(r, what);
  *name = r->token.text;
  reader_next(r);
  return !r->e;
}
