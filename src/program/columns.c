#include "program/columns.h"

#include <string.h>

#include "base/hash.h"
#include "base/vec.h"

enum {
  PADDING = 16,     /* bytes behind the bits, so that eight can be read at once */
  DEEPEST = 32,     /* blocks in blocks; LLVM's are 4 deep */
  BLOCK_KINDS = 64, /* LLVM's are below 32 */
  OPERANDS = 16,    /* what stands behind so many in a record without abbreviation shares a column */
};
#define MOST_CODES (1u << 24)

/* How a field of a record with an abbreviation is written. */
struct field {
  enum form { LITERAL, FIXED, VARIABLE, ARRAY, CHARACTER, BYTES } form;
  unsigned width;
};
struct abbreviation {
  size_t first, count; /* in codec.fields */
};
typedef VEC(struct abbreviation) abbreviations;

/* Bytes of values, seven bits each, the lowest first. */
struct column {
  VEC(uint8_t) own;          /* while splitting */
  const uint8_t *next, *end; /* while joining */
};
/* Splitting reads bits and appends to columns, joining takes from columns and writes bits: all else is the same, so one walk does both. */
struct codec {
  bool joining, failed;
  uint8_t *bits;
  size_t nbits, at;
  VEC(struct field) fields;
  abbreviations of_kind[BLOCK_KINDS]; /* for all later blocks of a kind */
  abbreviations local;                /* of the blocks under way, the inner ones last */
  VEC(struct column) columns;         /* in the order of their first use */
  struct hashmap known;               /* column_key() -> which */
};
struct block {
  unsigned kind, width;   /* of abbreviations' numbers */
  size_t inherited, base; /* how many of of_kind[kind] it has; where its own begin in `local` */
  int depth;
};

/* --- columns --- */

enum role { NUMBER, NEW_BLOCK, DEFINITION, CODE, LENGTH, OPERAND, ABBREVIATED, ELEMENT, BLOB };
static uint64_t column_key(enum role role, unsigned kind, uint64_t record, size_t operand) {
  return (uint64_t)role | (uint64_t)kind << 4 | (uint64_t)(operand & 0xffff) << 12 | (record & (MOST_CODES - 1)) << 28;
}

/* NULL while joining, if there are not so many. */
static struct column *column_of(struct codec *c, uint64_t key) {
  bool is_new;
  uint64_t *found = hashmap_at(&c->known, key, c->known.count, &is_new);
  if (is_new && !c->joining) *vec_push(&c->columns) = (struct column){0};
  return *found < c->columns.count ? &c->columns.data[*found] : NULL;
}

static void append(struct column *column, uint64_t v) {
  for (; v >= 0x80; v >>= 7) *vec_push(&column->own) = (uint8_t)(v | 0x80);
  *vec_push(&column->own) = (uint8_t)v;
}

static bool take(const uint8_t **next, const uint8_t *end, uint64_t *v) {
  *v = 0;
  for (unsigned shift = 0; *next < end && shift < 64; shift += 7) {
    uint8_t byte = *(*next)++;
    *v |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80)) return true;
  }
  return false;
}

/* --- bits --- */

static uint64_t fail(struct codec *c) {
  c->failed = true;
  return 0;
}

static uint64_t low_bits(uint64_t v, unsigned n) { return n < 64 ? v & ((1ull << n) - 1) : v; }

/* Up to 57 bits. */
static uint64_t get_bits(struct codec *c, unsigned n) {
  uint64_t v;
  if (n > 57 || n > c->nbits - c->at) return fail(c);
  memcpy(&v, c->bits + c->at / 8, sizeof v);
  v = low_bits(v >> c->at % 8, n), c->at += n;
  return v;
}

static void put_bits(struct codec *c, uint64_t v, unsigned n) {
  uint64_t word;
  if (n > 57 || n > c->nbits - c->at || low_bits(v, n) != v) {
    fail(c);
    return;
  }
  memcpy(&word, c->bits + c->at / 8, sizeof word);
  word |= v << c->at % 8, c->at += n;
  memcpy(c->bits + (c->at - n) / 8, &word, sizeof word);
}

static void align(struct codec *c) {
  c->at = (c->at + 31) & ~(size_t)31;
  if (c->at > c->nbits) c->at = c->nbits, fail(c);
}

/* Chunks of n bits, the lowest first; the highest bit of each says that another one follows. */
static uint64_t get_variable(struct codec *c, unsigned n) {
  uint64_t v = 0;
  for (unsigned shift = 0; shift < 64 && !c->failed; shift += n - 1) {
    uint64_t chunk = get_bits(c, n);
    v |= low_bits(chunk, n - 1) << shift;
    if (!(chunk >> (n - 1))) return v;
  }
  return fail(c);
}

static void put_variable(struct codec *c, uint64_t v, unsigned n) {
  for (; v >> (n - 1); v >>= n - 1) put_bits(c, low_bits(v, n - 1) | 1ull << (n - 1), n);
  put_bits(c, v, n);
}

/* --- what the stream is made of --- */

/* A value of the stream: in its column, and in the bits. */
static uint64_t value(struct codec *c, uint64_t key, enum form form, unsigned width) {
  struct column *column = c->failed ? NULL : column_of(c, key);
  uint64_t v;
  if (!column) return fail(c);
  if (!c->joining) {
    v = form == VARIABLE ? get_variable(c, width) : get_bits(c, width);
    append(column, v);
  } else {
    if (!take(&column->next, column->end, &v)) return fail(c);
    if (form == VARIABLE)
      put_variable(c, v, width);
    else
      put_bits(c, v, width);
  }
  return v;
}

static void define(struct codec *c, abbreviations *to) {
  struct abbreviation a = {.first = c->fields.count};
  for (uint64_t n = value(c, column_key(DEFINITION, 0, 0, 0), VARIABLE, 5); n > 0 && !c->failed; n--) {
    struct field f = {.form = LITERAL};
    if (value(c, column_key(DEFINITION, 0, 0, 1), FIXED, 1))
      value(c, column_key(DEFINITION, 0, 0, 2), VARIABLE, 8);
    else
      f.form = (enum form)value(c, column_key(DEFINITION, 0, 0, 3), FIXED, 3);
    if (f.form == FIXED || f.form == VARIABLE) f.width = (unsigned)value(c, column_key(DEFINITION, 0, 0, 4), VARIABLE, 5);
    if (f.form > BYTES || f.width > 57 || (f.form == VARIABLE && f.width == 1)) fail(c);
    if (f.width == 0 && (f.form == FIXED || f.form == VARIABLE)) f.form = LITERAL;
    if (f.form == CHARACTER) f.width = 6;
    *vec_push(&c->fields) = f;
  }
  a.count = c->fields.count - a.first;
  *vec_push(to) = a;
}

static void bytes(struct codec *c, unsigned kind, uint64_t n) {
  align(c);
  for (; n > 0 && !c->failed; n--) value(c, column_key(BLOB, kind, 0, 0), FIXED, 8);
  align(c);
}

static void abbreviated(struct codec *c, unsigned kind, uint64_t number, struct abbreviation a) {
  for (size_t i = 0; i < a.count && !c->failed; i++) {
    struct field f = c->fields.data[a.first + i];
    if (f.form == LITERAL) continue;
    if (f.form != ARRAY && f.form != BYTES) {
      value(c, column_key(ABBREVIATED, kind, number, i), f.form, f.width);
      continue;
    }
    uint64_t n = value(c, column_key(LENGTH, kind, number, i), VARIABLE, 6);
    if (f.form == BYTES) {
      bytes(c, kind, n);
      continue;
    }
    struct field e = i + 2 == a.count ? c->fields.data[a.first + ++i] : (struct field){.form = LITERAL};
    if (e.form == LITERAL || e.form == ARRAY || e.form == BYTES) fail(c); /* of nothing: nothing would ever end it */
    for (; n > 0 && !c->failed; n--) value(c, column_key(ELEMENT, kind, number, 0), e.form, e.width);
  }
}

/* In a block of information about others, `*about` is the kind that the last record named. */
static void unabbreviated(struct codec *c, unsigned kind, uint64_t *about) {
  enum { INFORMATION = 0, SET_KIND = 1 };
  uint64_t code = value(c, column_key(CODE, kind, 0, 0), VARIABLE, 6);
  if (code >= MOST_CODES) fail(c);
  uint64_t n = value(c, column_key(LENGTH, kind, code, OPERANDS), VARIABLE, 6);
  for (uint64_t i = 0; i < n && !c->failed; i++) {
    uint64_t v = value(c, column_key(OPERAND, kind, code, i < OPERANDS ? i : OPERANDS), VARIABLE, 6);
    if (kind == INFORMATION && code == SET_KIND && i == 0) *about = v;
  }
}

enum { END, ENTER, DEFINE, UNABBREVIATED, FIRST_DEFINED, TOP = BLOCK_KINDS };
static void block(struct codec *c, const struct block *b);

/* The length in words behind a block's beginning is written when it is known. */
static void enter(struct codec *c, const struct block *outer) {
  uint64_t kind = value(c, column_key(NEW_BLOCK, 0, 0, 0), VARIABLE, 8), width = value(c, column_key(NEW_BLOCK, 0, 0, 1), VARIABLE, 4);
  align(c);
  if (kind >= BLOCK_KINDS || width < 2 || width > 32 || outer->depth == DEEPEST || c->nbits - c->at < 32) fail(c);
  if (c->failed) return;
  size_t length = c->at / 8;
  c->at += 32;
  struct block inner = {.kind = (unsigned)kind, .width = (unsigned)width, .depth = outer->depth + 1, .base = c->local.count};
  inner.inherited = c->of_kind[kind].count;
  block(c, &inner);
  c->local.count = inner.base;
  uint32_t words = (uint32_t)((c->at / 8 - length) / 4 - 1);
  if (c->joining && !c->failed) memcpy(c->bits + length, &words, sizeof words);
}

static void block(struct codec *c, const struct block *b) {
  uint64_t about = BLOCK_KINDS;
  while (!c->failed && (b->kind != TOP || c->at < c->nbits)) {
    uint64_t number = value(c, column_key(NUMBER, b->kind, 0, 0), FIXED, b->width);
    if (number == END) {
      if (b->kind == TOP) fail(c);
      align(c);
      return;
    }
    if (number == ENTER)
      enter(c, b);
    else if (number == DEFINE && b->kind == 0 && about >= BLOCK_KINDS)
      fail(c);
    else if (number == DEFINE)
      define(c, b->kind == 0 ? &c->of_kind[about] : &c->local);
    else if (number == UNABBREVIATED)
      unabbreviated(c, b->kind, &about);
    else if (number - FIRST_DEFINED < b->inherited)
      abbreviated(c, b->kind, number, c->of_kind[b->kind].data[number - FIRST_DEFINED]);
    else if (number - FIRST_DEFINED - b->inherited < c->local.count - b->base)
      abbreviated(c, b->kind, number, c->local.data[b->base + number - FIRST_DEFINED - b->inherited]);
    else
      fail(c);
  }
}

/* --- both ways --- */

static void start(struct codec *c, const uint8_t *bitcode, size_t n) {
  c->bits = mem_alloc(n + PADDING);
  c->nbits = 8 * n;
  if (bitcode) memcpy(c->bits, bitcode, n);
}

static void walk(struct codec *c) {
  static const struct block top = {.kind = TOP, .width = 2};
  value(c, column_key(NEW_BLOCK, 0, 0, 2), FIXED, 32); /* what kind of file it is */
  block(c, &top);
}

static void finish(struct codec *c) {
  for (size_t i = 0; i < c->columns.count; i++) vec_release(&c->columns.data[i].own);
  for (size_t i = 0; i < BLOCK_KINDS; i++) vec_release(&c->of_kind[i]);
  vec_release(&c->columns);
  vec_release(&c->fields);
  vec_release(&c->local);
  hashmap_release(&c->known);
  mem_free(c->bits, c->nbits / 8 + PADDING);
}

/* How many columns, how long each of them is, and their bytes. */
static void find_columns(struct codec *c, const uint8_t *next, const uint8_t *end) {
  uint64_t count, size;
  if (!take(&next, end, &count) || count > (size_t)(end - next)) fail(c);
  const uint8_t *sizes = next;
  for (uint64_t i = 0; !c->failed && i < count; i++)
    if (!take(&next, end, &size)) fail(c);
  for (uint64_t i = 0; !c->failed && i < count; i++) {
    if (!take(&sizes, end, &size) || size > (size_t)(end - next)) {
      fail(c);
      return;
    }
    *vec_push(&c->columns) = (struct column){.next = next, .end = next + size};
    next += size;
  }
}

bool columns_join(const uint8_t *columns, size_t n, size_t nbitcode, struct text *bitcode) {
  struct codec c = {.joining = true};
  start(&c, NULL, nbitcode);
  find_columns(&c, columns, columns + n);
  walk(&c);
  bool ok = !c.failed && c.known.count == c.columns.count;
  if (ok) text_append(bitcode, (const char *)c.bits, nbitcode);
  finish(&c);
  return ok;
}

static void put_number(struct text *out, uint64_t v) {
  for (; v >= 0x80; v >>= 7) text_putc(out, (char)(v | 0x80));
  text_putc(out, (char)v);
}

bool columns_split(const uint8_t *bitcode, size_t n, struct text *columns) {
  struct codec c = {.failed = n % 4 != 0};
  struct text again = {0};
  size_t before = columns->count;
  start(&c, bitcode, n);
  walk(&c);
  put_number(columns, c.columns.count);
  for (size_t i = 0; i < c.columns.count; i++) put_number(columns, c.columns.data[i].own.count);
  for (size_t i = 0; i < c.columns.count; i++) text_append(columns, (const char *)c.columns.data[i].own.data, c.columns.data[i].own.count);
  bool ok = !c.failed && columns_join((const uint8_t *)columns->data + before, columns->count - before, n, &again) &&
            memcmp(again.data, bitcode, n) == 0;
  if (!ok && columns->count > before) columns->count = before, columns->data[before] = 0;
  text_release(&again);
  finish(&c);
  return ok;
}
