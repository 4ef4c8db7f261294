/* Reading a specification, a line at a time: what spec.c and spec_formula.c share. Functions that return false have written into error[].
 */
#pragma once
#include <stdarg.h>
#include <stdio.h>

#include "base/spec.h"

/* The text as it is read, a line at a time. */
struct reading {
  struct spec *spec;
  struct spec_object *object; /* NULL before the first */
  const char *file, *line, *at;
  unsigned number;
  char *error; /* [SPEC_ERROR] */
  struct spec_name parameters[SPEC_PARAMETERS];
  unsigned nparameters;
  /* Of a "commute" line: the two invocations. */
  struct {
    struct spec_name parameters[SPEC_PARAMETERS], result;
    unsigned nparameters, on;
  } invocations[2];
  unsigned depth; /* of what is nested in its formula */
};

static inline size_t length_of(const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}
static inline bool same(struct spec_name a, const char *b, size_t length) {
  if (a.length != length) return false;
  for (size_t i = 0; i < length; i++)
    if (a.at[i] != b[i]) return false;
  return true;
}
static inline bool same_name(struct spec_name a, struct spec_name b) { return same(a, b.at, b.length); }
static inline bool is_word(struct spec_name a, const char *word) { return same(a, word, length_of(word)); }

__attribute__((format(printf, 3, 4))) static inline bool wrong(struct reading *r, const char *at, const char *format, ...) {
  int n = snprintf(r->error, SPEC_ERROR, "%s:%u:%u: ", r->file, r->number, (unsigned)(at - r->line) + 1);
  va_list args;
  va_start(args, format);
  if (n >= 0 && n < SPEC_ERROR) vsnprintf(r->error + n, SPEC_ERROR - (size_t)n, format, args);
  va_end(args);
  return false;
}

#define SHOWN(name) (int)((name).length < 60 ? (name).length : 60), (name).at

static inline void skip(struct reading *r) {
  while (*r->at == ' ' || *r->at == '\t' || *r->at == '\r') r->at++;
}
static inline bool line_ends(struct reading *r) {
  skip(r);
  return !*r->at || *r->at == '\n' || *r->at == '#';
}

static inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static inline bool is_name(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

/* What is there, for complaints. */
static inline struct spec_name found(struct reading *r) {
  static const char end[] = "the end of the line";
  if (line_ends(r)) return (struct spec_name){end, sizeof end - 1};
  struct spec_name n = {r->at, 1};
  while (is_name(r->at[0]) && is_name(r->at[n.length])) n.length++;
  return n;
}

static inline bool expected(struct reading *r, const char *what) {
  struct spec_name n = found(r);
  if (n.at != r->at) return wrong(r, r->at, "%s is expected, not %.*s", what, SHOWN(n));
  unsigned char c = (unsigned char)*n.at;
  if (c < 0x20 || c >= 0x7f) return wrong(r, r->at, "%s is expected, not a byte %u", what, c);
  return wrong(r, r->at, "%s is expected, not \"%.*s\"", what, SHOWN(n));
}

static inline bool name(struct reading *r, const char *what, struct spec_name *out) {
  skip(r);
  *out = (struct spec_name){r->at, 0};
  if (!is_letter(*r->at)) return expected(r, what);
  while (is_name(*r->at)) r->at++;
  out->length = (size_t)(r->at - out->at);
  return out->length <= SPEC_NAME || wrong(r, out->at, "a name has up to %d characters", SPEC_NAME);
}

/* True if that character is next, which is read then. */
static inline bool comes(struct reading *r, char c) {
  skip(r);
  if (*r->at != c) return false;
  r->at++;
  return true;
}
static inline bool must_come(struct reading *r, char c, const char *what) { return comes(r, c) || expected(r, what); }
static inline bool must_end(struct reading *r, const char *what) { return line_ends(r) || expected(r, what); }

static inline unsigned column_of(const struct reading *r, const char *at) { return (unsigned)(at - r->line) + 1; }
static inline bool must_be_word(struct reading *r, const char *word) {
  struct spec_name n;
  skip(r);
  const char *at = r->at;
  if (is_letter(*at) && name(r, "", &n) && is_word(n, word)) return true;
  char what[32];
  snprintf(what, sizeof what, "\"%s\"", word);
  return r->at = at, expected(r, what);
}

/* "commute ..." and "state ...", behind the word (spec_formula.c). */
bool spec_read_commute(struct reading *r);
bool spec_read_state(struct reading *r);
