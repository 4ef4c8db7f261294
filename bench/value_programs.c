#include "value.h"

static struct expr constant(struct run *r, unsigned width, bits128 v) { return expr_constant(r->pool, width, v); }
static struct expr op(struct run *r, enum expr_op o, struct expr a, struct expr b) { return expr_binary(r->pool, o, a, b); }
static struct expr input(struct run *r, uint64_t count, unsigned width) {
  return expr_symbol(r->pool, (struct symbol_name){"0", 1, count}, width);
}
static bool is(struct run *r, struct expr e, bits128 v) { return branch(r, op(r, EXPR_EQ, e, constant(r, expr_width(r->pool, e), v))); }

/* The matcher of "Beautiful Code", chapter 1, with a symbolic expression of seven bytes and a text that is known: KLEE's example. */
struct matcher {
  struct run *r;
  struct expr re[8];
  const char *text;
};

static bool match_here(struct matcher *m, unsigned re, unsigned text);

static bool match_star(struct matcher *m, struct expr c, unsigned re, unsigned text) {
  do {
    if (match_here(m, re, text)) return true;
  } while (m->text[text] && (is(m->r, c, (unsigned char)m->text[text++]) || is(m->r, c, '.')));
  return false;
}

static bool match_here(struct matcher *m, unsigned re, unsigned text) {
  struct expr c = m->re[re];
  if (is(m->r, c, 0)) return true;
  if (is(m->r, m->re[re + 1], '*')) return match_star(m, c, re + 2, text);
  if (is(m->r, c, '$') && is(m->r, m->re[re + 1], 0)) return m->text[text] == 0;
  if (m->text[text] && (is(m->r, c, '.') || is(m->r, c, (unsigned char)m->text[text]))) return match_here(m, re + 1, text + 1);
  return false;
}

static void matcher(struct run *r) {
  struct matcher m = {.r = r, .text = "hello"};
  for (unsigned i = 0; i < 7; i++) m.re[i] = input(r, i, 8);
  m.re[7] = constant(r, 8, 0);
  if (is(r, m.re[0], '^')) {
    (void)match_here(&m, 1, 0);
    return;
  }
  for (unsigned i = 0;; i++)
    if (match_here(&m, 0, i) || !m.text[i]) return;
}

/* A checksum of eight bytes, looked at while it grows, and compared at the end. */
static void checksum(struct run *r) {
  struct expr a = constant(r, 32, 1), b = constant(r, 32, 0);
  for (unsigned i = 0; i < 8; i++) {
    a = op(r, EXPR_UREM, op(r, EXPR_ADD, a, expr_zext(r->pool, input(r, i, 8), 32)), constant(r, 32, 251));
    b = op(r, EXPR_UREM, op(r, EXPR_ADD, b, a), constant(r, 32, 251));
    if (branch(r, expr_extract(r->pool, b, 0, 1))) b = op(r, EXPR_XOR, b, constant(r, 32, 0x55));
  }
  (void)is(r, op(r, EXPR_OR, op(r, EXPR_SHL, b, constant(r, 32, 8)), a), 0x3a7b);
}

/* Hexadecimal digits by a table of 256 bytes; a number that is looked for. */
static void table(struct run *r) {
  struct expr_array t = expr_array_constant(r->pool, constant(r, 8, 0xff));
  static const char digits[] = "0123456789abcdef";
  for (unsigned i = 0; i < 16; i++) t = expr_store(r->pool, t, constant(r, 64, (unsigned char)digits[i]), constant(r, 8, i));
  for (unsigned i = 10; i < 16; i++) t = expr_store(r->pool, t, constant(r, 64, (unsigned char)digits[i] - 32u), constant(r, 8, i));
  struct expr value = constant(r, 32, 0);
  for (unsigned i = 0; i < 8; i++) {
    struct expr digit = expr_select(r->pool, t, expr_zext(r->pool, input(r, i, 8), 64));
    if (is(r, digit, 0xff)) break;
    if (branch(r, op(r, EXPR_ULT, digit, constant(r, 8, 10)))) (void)is(r, input(r, i, 8), '0');
    value = op(r, EXPR_OR, op(r, EXPR_SHL, value, constant(r, 32, 4)), expr_zext(r->pool, digit, 32));
  }
  (void)is(r, value, 0xc0ffee);
}

/* Five numbers put into order. */
static void sort(struct run *r) {
  struct expr a[5];
  for (unsigned i = 0; i < 5; i++) a[i] = input(r, i, 32);
  for (unsigned i = 1; i < 5; i++)
    for (unsigned j = i; j > 0 && branch(r, op(r, EXPR_SLT, a[j], a[j - 1])); j--) {
      struct expr swap = a[j];
      a[j] = a[j - 1], a[j - 1] = swap;
    }
}

/* Euclid's algorithm, and whether a product is too large. */
static void arithmetic(struct run *r) {
  struct expr a = input(r, 0, 16), b = input(r, 1, 16);
  struct expr product = op(r, EXPR_MUL, expr_zext(r->pool, a, 32), expr_zext(r->pool, b, 32));
  (void)branch(r, op(r, EXPR_ULT, constant(r, 32, 0xffff), product));
  (void)is(r, op(r, EXPR_AND, product, constant(r, 32, 0xff)), 0x77);
  for (unsigned i = 0; i < 5 && !is(r, b, 0); i++) {
    struct expr rest = op(r, EXPR_UREM, a, b);
    a = b, b = rest;
  }
  (void)branch(r, op(r, EXPR_ULT, a, constant(r, 16, 3)));
}

/* A hash table of 16 places in symbolic memory: six keys are put in, places are taken or not. */
static void hashing(struct run *r) {
  struct expr_array taken = expr_array_constant(r->pool, constant(r, 8, 0)), keys = expr_array_symbol(r->pool, (struct symbol_name){"0", 2, 0});
  for (unsigned i = 0; i < 5; i++) {
    struct expr key = input(r, i, 8);
    struct expr hash = op(r, EXPR_AND, op(r, EXPR_MUL, expr_zext(r->pool, key, 64), constant(r, 64, 37)), constant(r, 64, 15));
    for (unsigned probe = 0; probe < 2; probe++) {
      if (is(r, expr_select(r->pool, taken, hash), 0)) {
        taken = expr_store(r->pool, taken, hash, constant(r, 8, 1));
        keys = expr_store(r->pool, keys, hash, key);
        break;
      }
      if (branch(r, op(r, EXPR_EQ, expr_select(r->pool, keys, hash), key))) break;
      hash = op(r, EXPR_AND, op(r, EXPR_ADD, hash, constant(r, 64, 1)), constant(r, 64, 15));
    }
  }
}

const struct program programs[] = {
    {"matcher", "an expression of 7 symbolic bytes", matcher}, {"checksum", "of 8 symbolic bytes", checksum},
    {"table", "8 hexadecimal digits", table},                  {"sort", "5 symbolic numbers", sort},
    {"arithmetic", "products and rests", arithmetic},          {"hashing", "5 keys into 16 places", hashing},
};
const unsigned program_count = sizeof programs / sizeof *programs;
