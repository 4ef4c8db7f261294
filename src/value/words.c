#include "value/words.h"

#include <assert.h>
#include <string.h>

typedef struct lit word[EXPR_MAX_WIDTH];

static void copy(struct lit *out, const struct lit *a, unsigned w) { memcpy(out, a, w * sizeof *out); }

static void fill(struct lit *out, struct lit with, unsigned w) {
  for (unsigned i = 0; i < w; i++) out[i] = with;
}

static void invert(struct lit *out, const struct lit *a, unsigned w) {
  for (unsigned i = 0; i < w; i++) out[i] = lit_not(a[i]);
}

struct lit word_sum(struct gates *g, unsigned w, const struct lit *a, const struct lit *b, struct lit carry, struct lit *out) {
  for (unsigned i = 0; i < w; i++) {
    struct lit x = a[i], y = b[i];
    out[i] = gate_xor3(g, x, y, carry);
    carry = gate_majority(g, x, y, carry);
  }
  return carry;
}

struct lit word_difference(struct gates *g, unsigned w, const struct lit *a, const struct lit *b, struct lit *out) {
  word inverse;
  invert(inverse, b, w);
  return word_sum(g, w, a, inverse, LIT_TRUE, out);
}

/* a < b, or a <= b if `equal`: from the lowest bit up. */
static struct lit below(struct gates *g, unsigned w, const struct lit *a, const struct lit *b, bool equal, bool with_sign) {
  struct lit is = lit_of(equal);
  for (unsigned i = 0; i < w; i++) {
    bool sign = with_sign && i == w - 1;
    is = gate_majority(g, sign ? a[i] : lit_not(a[i]), sign ? lit_not(b[i]) : b[i], is);
  }
  return is;
}

void word_neg(struct gates *g, unsigned w, const struct lit *a, struct lit *out) {
  word zero;
  fill(zero, LIT_FALSE, w);
  (void)word_difference(g, w, zero, a, out);
}

void word_ite(struct gates *g, unsigned w, struct lit c, const struct lit *a, const struct lit *b, struct lit *out) {
  for (unsigned i = 0; i < w; i++) out[i] = gate_ite(g, c, a[i], b[i]);
}

struct lit word_equal(struct gates *g, unsigned w, const struct lit *a, const struct lit *b) {
  struct lit is = LIT_TRUE;
  for (unsigned i = 0; i < w && !lit_equal(is, LIT_FALSE); i++) is = gate_and(g, is, lit_not(gate_xor(g, a[i], b[i])));
  return is;
}

struct lit word_any(struct gates *g, unsigned w, const struct lit *a) {
  struct lit is = LIT_FALSE;
  for (unsigned i = 0; i < w; i++) is = gate_or(g, is, a[i]);
  return is;
}

struct lit word_less(struct gates *g, unsigned w, const struct lit *a, const struct lit *b) {
  return below(g, w, a, b, false, false);
}

static unsigned constants(const struct lit *a, unsigned w) {
  unsigned n = 0;
  for (unsigned i = 0; i < w; i++) n += lit_is_constant(a[i]);
  return n;
}

void word_product(struct gates *g, unsigned w, const struct lit *a, const struct lit *b, struct lit *out) {
  if (constants(a, w) > constants(b, w)) { /* rows of zeros cost nothing */
    const struct lit *swap = a;
    a = b, b = swap;
  }
  word result, row;
  fill(result, LIT_FALSE, w);
  for (unsigned i = 0; i < w; i++) {
    if (lit_equal(b[i], LIT_FALSE)) continue;
    for (unsigned j = 0; i + j < w; j++) row[j] = gate_and(g, a[j], b[i]);
    (void)word_sum(g, w - i, result + i, row, LIT_FALSE, result + i);
  }
  copy(out, result, w);
}

/* Bits up to the highest that may be 1. */
static unsigned significant(const struct lit *a, unsigned w) {
  while (w && lit_equal(a[w - 1], LIT_FALSE)) w--;
  return w;
}

static bool is_not_zero(const struct lit *a, unsigned w) {
  for (unsigned i = 0; i < w; i++)
    if (lit_equal(a[i], LIT_TRUE)) return true;
  return false;
}

/* The rest is below the divisor, unless that is 0, and so has no more bits; twice the rest may have one more, and where that is 1, it is
 * not below the divisor. */
static void divide(struct gates *g, unsigned w, const struct lit *a, const struct lit *b, struct lit *quotient, struct lit *rest) {
  word r, less;
  unsigned n = is_not_zero(b, w) ? significant(b, w) : w;
  fill(r, LIT_FALSE, w);
  for (unsigned i = w; i-- > 0;) {
    struct lit out = r[n - 1];
    memmove(r + 1, r, (n - 1) * sizeof *r);
    r[0] = a[i];
    struct lit fits = gate_or(g, out, word_difference(g, n, r, b, less));
    word_ite(g, n, fits, less, r, r);
    quotient[i] = fits;
  }
  copy(rest, r, w);
}

static void negate_if(struct gates *g, unsigned w, struct lit c, const struct lit *a, struct lit *out) {
  word negative;
  word_neg(g, w, a, negative);
  word_ite(g, w, c, negative, a, out);
}

static void divide_signed(struct gates *g, unsigned w, const struct lit *a, const struct lit *b, struct lit *quotient, struct lit *rest) {
  word x, y, q, r;
  struct lit s = a[w - 1], t = b[w - 1];
  negate_if(g, w, s, a, x);
  negate_if(g, w, t, b, y);
  divide(g, w, x, y, q, r);
  negate_if(g, w, gate_xor(g, s, t), q, quotient);
  negate_if(g, w, s, r, rest);
}

/* By as many bits as the word `by` says: a row of choices for each of its bits that can matter. */
static void shift(struct gates *g, enum expr_op op, unsigned w, const struct lit *a, const struct lit *by, struct lit *out) {
  word now, moved;
  struct lit in = op == EXPR_ASHR ? a[w - 1] : LIT_FALSE, all = LIT_FALSE;
  copy(now, a, w);
  for (unsigned i = 0; i < w; i++) {
    if (i >= 7 || 1u << i >= w) { /* that bit alone moves everything out */
      all = gate_or(g, all, by[i]);
      continue;
    }
    unsigned n = 1u << i;
    for (unsigned j = 0; j < w; j++) {
      if (op == EXPR_SHL)
        moved[j] = j >= n ? now[j - n] : in;
      else
        moved[j] = j + n < w ? now[j + n] : in;
    }
    word_ite(g, w, by[i], moved, now, now);
  }
  for (unsigned j = 0; j < w; j++) out[j] = gate_ite(g, all, in, now[j]);
}

void word_binary(struct gates *g, enum expr_op op, unsigned w, const struct lit *a, const struct lit *b, struct lit *out) {
  word other;
  switch ((int)op) {
    case EXPR_ADD:
      (void)word_sum(g, w, a, b, LIT_FALSE, out);
      return;
    case EXPR_SUB:
      (void)word_difference(g, w, a, b, out);
      return;
    case EXPR_MUL:
      word_product(g, w, a, b, out);
      return;
    case EXPR_UDIV:
      divide(g, w, a, b, out, other);
      return;
    case EXPR_UREM:
      divide(g, w, a, b, other, out);
      return;
    case EXPR_SDIV:
      divide_signed(g, w, a, b, out, other);
      return;
    case EXPR_SREM:
      divide_signed(g, w, a, b, other, out);
      return;
    case EXPR_AND:
      for (unsigned i = 0; i < w; i++) out[i] = gate_and(g, a[i], b[i]);
      return;
    case EXPR_OR:
      for (unsigned i = 0; i < w; i++) out[i] = gate_or(g, a[i], b[i]);
      return;
    case EXPR_XOR:
      for (unsigned i = 0; i < w; i++) out[i] = gate_xor(g, a[i], b[i]);
      return;
    case EXPR_SHL:
    case EXPR_LSHR:
    case EXPR_ASHR:
      shift(g, op, w, a, b, out);
      return;
    case EXPR_EQ:
      *out = word_equal(g, w, a, b);
      return;
    case EXPR_ULT:
    case EXPR_ULE:
      *out = below(g, w, a, b, op == EXPR_ULE, false);
      return;
    case EXPR_SLT:
    case EXPR_SLE:
      *out = below(g, w, a, b, op == EXPR_SLE, true);
      return;
  }
  assert(false); /* no binary operator */
}
