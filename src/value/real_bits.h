/* Floating point as numbers of bits: IEEE 754's binary32 and binary64, in vectors of 32 and 64 bits.
 *
 * Results are rounded to nearest, ties to even. A NaN that an operator gives, whatever it was given, is one: real_nan(), what x86 makes of
 * 0 / 0. Which bits of an operand's NaN a program finds in the result is the machine's business (machine/interpret/real.h).
 *
 * To an integer: toward zero, of 64 bits; NaN and what does not fit give the least one, as x86 does. */
#pragma once
#include <math.h>
#include <string.h>

#include "value/bits.h"

/* Bits of the exponent, and of the significand with the one that is not stored. */
struct real_format {
  unsigned exponent, significand;
};

/* How EXPR_REAL_ROUND comes to an integer. */
enum real_mode { REAL_EVEN, REAL_AWAY, REAL_UP, REAL_DOWN, REAL_ZERO };

static inline struct real_format real_format(unsigned width) {
  return width == 32 ? (struct real_format){8, 24} : (struct real_format){11, 53};
}
static inline unsigned real_width(struct real_format f) { return f.exponent + f.significand; }
static inline unsigned real_bias(struct real_format f) { return (1u << (f.exponent - 1)) - 1; }

static inline bits128 real_infinity(unsigned width) { return width == 32 ? 0x7f800000u : 0x7ff0000000000000u; }
static inline bits128 real_quiet(unsigned width) { return (bits128)1 << (width == 32 ? 22 : 51); } /* the bit of quiet NaNs */
static inline bits128 real_nan(unsigned width) { return bits_min(width) | real_infinity(width) | real_quiet(width); }
static inline bool real_bits_are_nan(bits128 x, unsigned width) { return (x & ~bits_min(width)) > real_infinity(width); }

static inline double real_number(bits128 x, unsigned width) {
  uint32_t half = (uint32_t)x;
  uint64_t whole = (uint64_t)x;
  float f;
  double d;
  memcpy(&f, &half, sizeof f);
  memcpy(&d, &whole, sizeof d);
  return width == 32 ? (double)f : d;
}

static inline bits128 real_bits(double d, unsigned width) {
  float f = (float)d;
  uint32_t half;
  uint64_t whole;
  memcpy(&half, &f, sizeof half);
  memcpy(&whole, &d, sizeof whole);
  return isnan(d) ? real_nan(width) : width == 32 ? half : whole;
}

/* Doubles are precise enough that rounding a sum, product, quotient or root of floats twice is rounding it once. */
static inline bits128 real_add(bits128 x, bits128 y, unsigned width) {
  return real_bits(real_number(x, width) + real_number(y, width), width);
}
static inline bits128 real_multiply(bits128 x, bits128 y, unsigned width) {
  return real_bits(real_number(x, width) * real_number(y, width), width);
}
static inline bits128 real_divide(bits128 x, bits128 y, unsigned width) {
  return real_bits(real_number(x, width) / real_number(y, width), width);
}
static inline bits128 real_root(bits128 x, unsigned width) { return real_bits(sqrt(real_number(x, width)), width); }

static inline bits128 real_round(bits128 x, unsigned width, enum real_mode mode) {
  double d = real_number(x, width);
  switch (mode) {
    case REAL_EVEN:
      return real_bits(roundeven(d), width);
    case REAL_AWAY:
      return real_bits(round(d), width);
    case REAL_UP:
      return real_bits(ceil(d), width);
    case REAL_DOWN:
      return real_bits(floor(d), width);
    case REAL_ZERO:
      break;
  }
  return real_bits(trunc(d), width);
}

static inline bits128 real_convert(bits128 x, unsigned from, unsigned to) { return real_bits(real_number(x, from), to); }

static inline bits128 real_to_signed(bits128 x, unsigned width) {
  double d = real_number(x, width);
  return d >= -0x1p63 && d < 0x1p63 ? (uint64_t)(int64_t)d : (uint64_t)1 << 63;
}

static inline bits128 real_from_integer(bits128 x, unsigned of, bool is_signed, unsigned width) {
  int64_t n = (int64_t)bits_sext(x, of, 64);
  if (width == 64) return real_bits(is_signed ? (double)n : (double)(uint64_t)x, 64);
  return real_bits((double)(is_signed ? (float)n : (float)(uint64_t)x), 32);
}
