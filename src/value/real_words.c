#include "value/real_words.h"

#include <assert.h>
#include <string.h>

#include "value/expr.h"
#include "value/words.h"

typedef struct lit word[EXPR_MAX_WIDTH];

static void constant(struct lit *out, unsigned w, uint64_t value) {
  for (unsigned i = 0; i < w; i++) out[i] = lit_of(i < 64 && value >> i & 1);
}

static void copy(struct lit *out, const struct lit *a, unsigned w) {
  for (unsigned i = 0; i < w; i++) out[i] = a[i];
}

static void widen(struct lit *out, unsigned w, const struct lit *a, unsigned from) {
  for (unsigned i = 0; i < w; i++) out[i] = i < from ? a[i] : LIT_FALSE;
}

static struct lit all(struct gates *g, unsigned w, const struct lit *a) {
  struct lit is = LIT_TRUE;
  for (unsigned i = 0; i < w; i++) is = gate_and(g, is, a[i]);
  return is;
}

static unsigned bits_of(unsigned n) {
  unsigned bits = 0;
  while (n >> bits) bits++;
  return bits;
}

/* --- operands --- */

/* What a word is. Exponents are signed words of `width` bits, with the bias. */
struct parts {
  struct lit sign, nan, infinite, zero;
  unsigned width;
  word exponent, significand;
};

/* An exponent's width, if as many bits as `n` are moved, and two exponents are added. */
static unsigned exponent_width(struct real_format f, unsigned n) {
  unsigned bits = bits_of(n);
  return (f.exponent > bits ? f.exponent : bits) + 3;
}

static const struct lit *field_of(struct real_format f, const struct lit *a) { return a + f.significand - 1; }

/* As they stand: the numbers next to zero have the least exponent, and no leading one. */
static void take_apart(struct gates *g, struct real_format f, const struct lit *a, unsigned width, struct parts *p) {
  const struct lit *field = field_of(f, a);
  struct lit fraction = word_any(g, f.significand - 1, a), leading = word_any(g, f.exponent, field), special = all(g, f.exponent, field);
  p->sign = a[real_width(f) - 1];
  p->nan = gate_and(g, special, fraction);
  p->infinite = gate_and(g, special, lit_not(fraction));
  p->zero = lit_not(gate_or(g, leading, fraction));
  p->width = width;
  widen(p->exponent, width, field, f.exponent);
  p->exponent[0] = gate_or(g, p->exponent[0], lit_not(leading));
  copy(p->significand, a, f.significand - 1);
  p->significand[f.significand - 1] = leading;
}

/* --- shifts --- */

/* exponent > k, where both are signed */
static struct lit exceeds(struct gates *g, unsigned width, const struct lit *exponent, unsigned k) {
  word number = {0};
  struct lit is;
  constant(number, width, k);
  word_binary(g, EXPR_SLT, width, number, exponent, &is);
  return is;
}

/* To the left by up to `most` bits, until the highest bit is 1 or, if it is `limited`, the exponent is 1: that grows smaller by as much. */
static void normalise(struct gates *g, unsigned n, struct lit *a, unsigned width, struct lit *exponent, unsigned most, bool limited) {
  for (unsigned k = most ? 1u << (bits_of(most) - 1) : 0; k; k /= 2) {
    word moved, less, number;
    if (k >= n) continue;
    struct lit shifts = lit_not(word_any(g, k, a + n - k));
    if (limited) shifts = gate_and(g, shifts, exceeds(g, width, exponent, k));
    for (unsigned i = 0; i < n; i++) moved[i] = i >= k ? a[i - k] : LIT_FALSE;
    constant(number, width, k);
    (void)word_difference(g, width, exponent, number, less);
    word_ite(g, n, shifts, moved, a, a);
    word_ite(g, width, shifts, less, exponent, exponent);
  }
}

/* To the right by the number `by`, of `width` bits. `sticky`: the lowest bit says also whether any bit that went out was 1. */
static void shift_right(struct gates *g, unsigned n, struct lit *a, unsigned width, const struct lit *by, bool sticky) {
  struct lit far = LIT_FALSE, any = sticky ? word_any(g, n, a) : LIT_FALSE;
  for (unsigned i = 0; i < width; i++) {
    word moved;
    if (i >= 8 || 1u << i >= n) {
      far = gate_or(g, far, by[i]);
      continue;
    }
    unsigned k = 1u << i;
    for (unsigned j = 0; j < n; j++) moved[j] = j + k < n ? a[j + k] : LIT_FALSE;
    if (sticky) moved[0] = gate_or(g, moved[0], word_any(g, k, a));
    word_ite(g, n, by[i], moved, a, a);
  }
  for (unsigned j = 0; j < n; j++) a[j] = gate_ite(g, far, j ? LIT_FALSE : any, a[j]);
}

static void take_apart_normalised(struct gates *g, struct real_format f, const struct lit *a, unsigned width, struct parts *p) {
  take_apart(g, f, a, width, p);
  normalise(g, f.significand, p->significand, width, p->exponent, f.significand - 1, false);
}

/* --- results --- */

/* The number that `n` bits from 1 on are, times two to the exponent, rounded. Where the exponent is below 1, the leading bit may be 0, as
 * it may be if exponent is 1. The word has no sign so far. */
static void put_together(struct gates *g, struct real_format f, unsigned n, struct lit *a, unsigned width, const struct lit *exponent,
                         bool underflows, struct lit *out) {
  unsigned s = f.significand;
  struct lit small = underflows ? lit_not(exceeds(g, width, exponent, 0)) : LIT_FALSE;
  if (underflows) { /* by 1 - exponent */
    word one, by;
    constant(one, width, 1);
    (void)word_difference(g, width, one, exponent, by);
    for (unsigned i = 0; i < width; i++) by[i] = gate_and(g, small, by[i]);
    shift_right(g, n, a, width, by, true);
  }
  struct lit leading = gate_and(g, a[n - 1], lit_not(small)), guard = a[n - s - 1];
  struct lit up = gate_and(g, guard, gate_or(g, a[n - s], word_any(g, n - s - 1, a)));
  word packed, zero;
  copy(packed, a + n - s, s - 1);
  for (unsigned i = 0; i < f.exponent; i++) packed[s - 1 + i] = gate_and(g, leading, exponent[i]);
  constant(zero, real_width(f), 0);
  (void)word_sum(g, real_width(f) - 1, packed, zero, up, out);
  struct lit overflows = gate_and(g, leading, exceeds(g, width, exponent, (1u << f.exponent) - 2));
  for (unsigned i = 0; i + 1 < real_width(f); i++) out[i] = gate_ite(g, overflows, lit_of(i >= s - 1), out[i]);
}

/* NaN, infinite, zero, or what is there; and the sign. */
static void finish(struct gates *g, struct real_format f, struct lit nan, struct lit infinite, struct lit zero, struct lit sign,
                   struct lit *out) {
  unsigned w = real_width(f), s = f.significand;
  for (unsigned i = 0; i + 1 < w; i++) {
    struct lit bit = gate_and(g, out[i], lit_not(zero));
    bit = gate_ite(g, infinite, lit_of(i >= s - 1), bit);
    out[i] = gate_ite(g, nan, lit_of(i >= s - 2), bit);
  }
  out[w - 1] = gate_or(g, nan, sign);
}

/* --- arithmetic --- */

void real_word_add(struct gates *g, struct real_format f, const struct lit *a, const struct lit *b, struct lit *out) {
  unsigned w = real_width(f), s = f.significand, n = s + 4, width = exponent_width(f, n);
  word large, small, by, one;
  struct parts x, y;
  struct lit swap = word_less(g, w - 1, a, b);
  word_ite(g, w, swap, b, a, large);
  word_ite(g, w, swap, a, b, small);
  take_apart(g, f, large, width, &x);
  take_apart(g, f, small, width, &y);
  struct lit differ = gate_xor(g, x.sign, y.sign);
  /* Three more bits at the lower end tell the rest apart; one at the upper end is the carry. */
  word p, q;
  constant(p, n, 0), constant(q, n, 0);
  copy(p + 3, x.significand, s);
  copy(q + 3, y.significand, s);
  (void)word_difference(g, width, x.exponent, y.exponent, by);
  shift_right(g, n, q, f.exponent, by, true);
  for (unsigned i = 0; i < n; i++) q[i] = gate_xor(g, q[i], differ);
  (void)word_sum(g, n, p, q, differ, p);
  struct lit zero = lit_not(word_any(g, n, p));
  constant(one, width, 1);
  (void)word_sum(g, width, x.exponent, one, LIT_FALSE, x.exponent);
  normalise(g, n, p, width, x.exponent, n - 1, true);
  put_together(g, f, n, p, width, x.exponent, false, out);
  struct lit nan = gate_or(g, gate_or(g, x.nan, y.nan), gate_and(g, gate_and(g, x.infinite, y.infinite), differ));
  finish(g, f, nan, x.infinite, zero, gate_ite(g, zero, gate_and(g, x.sign, y.sign), x.sign), out);
}

void real_word_multiply(struct gates *g, struct real_format f, const struct lit *a, const struct lit *b, struct lit *out) {
  unsigned s = f.significand, n = 2 * s, width = exponent_width(f, n);
  struct parts x, y;
  word p, q, exponent, number;
  take_apart(g, f, a, width, &x);
  take_apart(g, f, b, width, &y);
  widen(p, n, x.significand, s);
  widen(q, n, y.significand, s);
  word_product(g, n, p, q, p);
  constant(number, width, real_bias(f) - 1);
  (void)word_sum(g, width, x.exponent, y.exponent, LIT_FALSE, exponent);
  (void)word_difference(g, width, exponent, number, exponent);
  normalise(g, n, p, width, exponent, s, true); /* of two that are next to zero, nothing is left anyway */
  put_together(g, f, n, p, width, exponent, true, out);
  struct lit zero = gate_or(g, x.zero, y.zero), infinite = gate_or(g, x.infinite, y.infinite);
  struct lit nan = gate_or(g, gate_or(g, x.nan, y.nan), gate_and(g, zero, infinite));
  finish(g, f, nan, infinite, zero, gate_xor(g, x.sign, y.sign), out);
}

/* a / b for a < 2 b, with `n` bits from the one before the point on; whether anything is left. */
static struct lit quotient(struct gates *g, unsigned s, const struct lit *a, const struct lit *b, unsigned n, struct lit *out) {
  word rest, divisor, less;
  widen(rest, s + 1, a, s);
  widen(divisor, s + 1, b, s);
  for (unsigned i = n; i-- > 0;) {
    out[i] = word_difference(g, s + 1, rest, divisor, less);
    word_ite(g, s + 1, out[i], less, rest, rest);
    if (i == 0) break;
    memmove(rest + 1, rest, s * sizeof *rest); /* it is below the divisor, which has s bits */
    rest[0] = LIT_FALSE;
  }
  return word_any(g, s + 1, rest);
}

void real_word_divide(struct gates *g, struct real_format f, const struct lit *a, const struct lit *b, struct lit *out) {
  unsigned s = f.significand, n = s + 3, width = exponent_width(f, n);
  struct parts x, y;
  word q, exponent, number;
  take_apart_normalised(g, f, a, width, &x);
  take_apart_normalised(g, f, b, width, &y);
  q[0] = quotient(g, s, x.significand, y.significand, n - 1, q + 1);
  constant(number, width, real_bias(f));
  (void)word_difference(g, width, x.exponent, y.exponent, exponent);
  (void)word_sum(g, width, exponent, number, LIT_FALSE, exponent);
  normalise(g, n, q, width, exponent, 1, true);
  put_together(g, f, n, q, width, exponent, true, out);
  struct lit nan = gate_or(g, gate_and(g, x.zero, y.zero), gate_and(g, x.infinite, y.infinite));
  nan = gate_or(g, nan, gate_or(g, x.nan, y.nan));
  finish(g, f, nan, gate_or(g, x.infinite, y.zero), gate_or(g, x.zero, y.infinite), gate_xor(g, x.sign, y.sign), out);
}

/* The root of a number of 2 n bits, bit by bit from the highest on; whether anything is left. */
static struct lit root(struct gates *g, unsigned n, const struct lit *a, struct lit *out) {
  word rest, trial, less;
  unsigned w = n + 2;
  constant(rest, w, 0);
  for (unsigned i = n; i-- > 0;) { /* 4 rest + the next two bits, less 4 root + 1, if that fits */
    memmove(rest + 2, rest, (w - 2) * sizeof *rest);
    rest[0] = a[2 * i], rest[1] = a[2 * i + 1];
    constant(trial, w, 1);
    copy(trial + 2, out + i + 1, n - 1 - i);
    out[i] = word_difference(g, w, rest, trial, less);
    word_ite(g, w, out[i], less, rest, rest);
  }
  return word_any(g, w, rest);
}

void real_word_root(struct gates *g, struct real_format f, const struct lit *a, struct lit *out) {
  unsigned s = f.significand, n = s + 2, width = exponent_width(f, n);
  struct parts x;
  word number, twice, radicand, result;
  take_apart_normalised(g, f, a, width, &x);
  /* Half of the exponent, without its bias, which is odd: if the exponent is even, the significand is taken twice. */
  struct lit even = lit_not(x.exponent[0]);
  constant(number, width, real_bias(f));
  (void)word_difference(g, width, x.exponent, number, x.exponent);
  memmove(x.exponent, x.exponent + 1, (width - 1) * sizeof *x.exponent);
  (void)word_sum(g, width, x.exponent, number, LIT_FALSE, x.exponent);
  twice[0] = LIT_FALSE;
  copy(twice + 1, x.significand, s);
  x.significand[s] = LIT_FALSE;
  constant(radicand, 2 * n, 0);
  word_ite(g, s + 1, even, twice, x.significand, radicand + 2 * n - s - 1);
  result[0] = root(g, n, radicand, result + 1);
  put_together(g, f, n + 1, result, width, x.exponent, real_bias(f) < s, out);
  struct lit negative = gate_and(g, x.sign, lit_not(x.zero));
  finish(g, f, gate_or(g, x.nan, negative), x.infinite, x.zero, x.sign, out);
}

/* --- integers and other formats --- */

/* Is the number away from zero rather than the one toward it? */
static struct lit rounds_up(struct gates *g, enum real_mode mode, struct lit sign, struct lit odd, struct lit half, struct lit rest) {
  switch (mode) {
    case REAL_EVEN:
      return gate_and(g, half, gate_or(g, rest, odd));
    case REAL_AWAY:
      return half;
    case REAL_UP:
      return gate_and(g, lit_not(sign), gate_or(g, half, rest));
    case REAL_DOWN:
      return gate_and(g, sign, gate_or(g, half, rest));
    case REAL_ZERO:
      break;
  }
  return LIT_FALSE;
}

/* In place: bits behind the point become 0, and 1 is added at the point, from where it carries into the exponent. */
void real_word_round(struct gates *g, struct real_format f, enum real_mode mode, const struct lit *a, struct lit *out) {
  unsigned w = real_width(f), s = f.significand, bias = real_bias(f);
  const struct lit *field = field_of(f, a);
  struct lit sign = a[w - 1], half = LIT_FALSE, rest = LIT_FALSE, odd = LIT_FALSE;
  word behind, unit, kept; /* behind[i]: bit i is behind the point; behind[s - 1]: all are, the number is below 1 */
  for (unsigned i = 0; i < s; i++) {
    word limit;
    constant(limit, f.exponent, bias + s - 1 - i);
    behind[i] = bias + s - 1 - i < 1u << f.exponent ? word_less(g, f.exponent, field, limit) : LIT_TRUE;
  }
  for (unsigned i = 0; i + 1 < w; i++) unit[i] = LIT_FALSE, kept[i] = i + 1 < s ? gate_and(g, a[i], lit_not(behind[i])) : a[i];
  for (unsigned i = 0; i + 1 < s; i++) {
    unit[i + 1] = gate_and(g, behind[i], lit_not(behind[i + 1]));
    half = gate_or(g, half, gate_and(g, unit[i + 1], a[i]));
    rest = gate_or(g, rest, gate_and(g, behind[i + 1], a[i]));
    odd = gate_or(g, odd, gate_and(g, unit[i + 1], i + 2 < s ? a[i + 1] : LIT_TRUE));
  }
  struct lit up = rounds_up(g, mode, sign, odd, half, rest);
  for (unsigned i = 0; i < s; i++) unit[i] = gate_and(g, unit[i], up);
  (void)word_sum(g, w - 1, kept, unit, LIT_FALSE, out);
  /* Below 1 it is 0 or 1. */
  struct parts x;
  word before;
  take_apart(g, f, a, f.exponent + 1, &x);
  constant(before, f.exponent, bias - 1);
  struct lit fraction = word_any(g, s - 1, a), is_half = word_equal(g, f.exponent, field, before);
  rest = gate_ite(g, is_half, fraction, lit_not(x.zero));
  struct lit one = rounds_up(g, mode, sign, LIT_FALSE, is_half, rest);
  for (unsigned i = 0; i + 1 < w; i++) {
    struct lit bit = gate_and(g, one, lit_of(i + 1 >= s && bias >> (i + 1 - s) & 1));
    out[i] = gate_ite(g, behind[s - 1], bit, out[i]);
  }
  finish(g, f, x.nan, x.infinite, LIT_FALSE, sign, out);
}

void real_word_convert(struct gates *g, struct real_format from, struct real_format to, const struct lit *a, struct lit *out) {
  unsigned s = from.significand, n = s < to.significand + 2 ? to.significand + 2 : s;
  unsigned width = exponent_width(from.exponent > to.exponent ? from : to, n);
  struct parts x;
  word p, number;
  take_apart_normalised(g, from, a, width, &x);
  constant(number, width, real_bias(from));
  (void)word_difference(g, width, x.exponent, number, x.exponent);
  constant(number, width, real_bias(to));
  (void)word_sum(g, width, x.exponent, number, LIT_FALSE, x.exponent);
  constant(p, n, 0);
  copy(p + n - s, x.significand, s);
  bool underflows = real_bias(from) + s > real_bias(to);
  put_together(g, to, n, p, width, x.exponent, underflows, out);
  finish(g, to, x.nan, x.infinite, x.zero, x.sign, out);
}

void real_word_to_signed(struct gates *g, struct real_format f, const struct lit *a, unsigned n, struct lit *out) {
  unsigned s = f.significand, bias = real_bias(f), width = exponent_width(f, n);
  assert(n >= s);
  struct parts x;
  word p, number, by, negative;
  take_apart(g, f, a, width, &x);
  constant(p, n, 0);
  copy(p + n - s, x.significand, s);
  constant(number, width, bias + n - 1);
  (void)word_difference(g, width, number, x.exponent, by); /* below 0, if it does not fit */
  shift_right(g, n, p, width - 1, by, false);
  word_neg(g, n, p, negative);
  word_ite(g, n, x.sign, negative, p, p);
  struct lit large = gate_or(g, exceeds(g, width, x.exponent, bias + n - 2), gate_or(g, x.infinite, x.nan));
  for (unsigned i = 0; i < n; i++) out[i] = gate_ite(g, large, lit_of(i == n - 1), p[i]);
}

void real_word_from_integer(struct gates *g, struct real_format f, bool is_signed, unsigned width, const struct lit *a, struct lit *out) {
  unsigned n = width < f.significand + 2 ? f.significand + 2 : width, of = exponent_width(f, n);
  struct lit sign = is_signed ? a[width - 1] : LIT_FALSE;
  word p, negative, exponent;
  constant(p, n, 0);
  copy(p + n - width, a, width);
  word_neg(g, n, p, negative);
  word_ite(g, n, sign, negative, p, p);
  struct lit zero = lit_not(word_any(g, n, p));
  constant(exponent, of, real_bias(f) + width - 1);
  normalise(g, n, p, of, exponent, width - 1, false);
  put_together(g, f, n, p, of, exponent, false, out);
  finish(g, f, LIT_FALSE, LIT_FALSE, zero, sign, out);
}
