/* Between the parts of the reader of properties: words, declarations, patterns. */
#pragma once
#include "property/property.h"

enum token_kind {
  TOKEN_END,
  TOKEN_NAME,   /* letters, digits, _ and :: ; the first is no digit */
  TOKEN_NUMBER, /* `number` */
  TOKEN_SIGN,   /* one of ( ) { } , . | & ! ? * + < > = , its character in `sign` */
  TOKEN_PARALLEL,
};

struct token {
  enum token_kind kind;
  char sign;
  uint64_t number;
  struct property_text text;
};

struct reader {
  const char *at, *line_start, *file;
  uint32_t line;
  struct token token; /* the next one */
  enum err e;         /* once set, everything fails */
  struct diag *d;
  struct property *property; /* that is being read */
  unsigned nesting;
};

/* The first token is read. */
void reader_begin(struct reader *r, const char *text, const char *file, struct diag *d);
void reader_next(struct reader *r);
/* Sets the error, unless there is one, at that place. Returns false. */
[[gnu::format(printf, 3, 4)]] bool reader_fail(struct reader *r, const struct property_text *at, const char *format, ...);
/* "expected WHAT, found ...", at the next token. Returns false. */
bool reader_expected(struct reader *r, const char *what);
/* The next token is that one, and is passed. */
bool reader_takes_sign(struct reader *r, char sign);
bool reader_takes_word(struct reader *r, const char *word);
/* The same; an error if it is not. */
bool reader_needs_sign(struct reader *r, char sign);
bool reader_needs_name(struct reader *r, const char *what, struct property_text *name);

bool property_text_is(const struct property_text *t, const char *word);
bool property_text_same(const struct property_text *a, const struct property_text *b);

/* A pattern, behind the word `pattern`, up to the `}` that ends the property. */
bool pattern_read(struct reader *r);
