/* Bit vectors of 1 to 128 bits as numbers: what each operator means, for those who fold, evaluate and simplify.
 *
 * A vector of w bits is a number below 2^w: whoever makes one clears the bits above. What C leaves open has SMT-LIB's meaning, so that
 * each operator has a value everywhere; whether a program may divide by zero, or shift by too much, is asked before:
 *
 *   x udiv 0 = all ones     x sdiv 0 = 1 if x is negative, else -1     x urem 0 = x srem 0 = x     min sdiv -1 = min
 *   x shl n = x lshr n = 0, and x ashr n = the sign in each bit, where n >= w                                                   */
#pragma once
#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 bits128;

static inline bits128 bits_ones(unsigned width) { return width == 128 ? ~(bits128)0 : ((bits128)1 << width) - 1; }
static inline bits128 bits_trim(bits128 x, unsigned width) { return x & bits_ones(width); }
static inline bool bits_negative(bits128 x, unsigned width) { return (x >> (width - 1)) & 1; }
static inline bits128 bits_min(unsigned width) { return (bits128)1 << (width - 1); } /* the least signed number */
static inline bits128 bits_neg(bits128 x, unsigned width) { return bits_trim(-x, width); }
static inline bits128 bits_sext(bits128 x, unsigned from, unsigned to) {
  return bits_negative(x, from) ? bits_trim(x | ~bits_ones(from), to) : x;
}
static inline bits128 bits_extract(bits128 x, unsigned low, unsigned width) { return bits_trim(x >> low, width); }
static inline bool bits_slt(bits128 x, bits128 y, unsigned width) { return (x ^ bits_min(width)) < (y ^ bits_min(width)); }

static inline bits128 bits_udiv(bits128 x, bits128 y, unsigned width) { return y ? x / y : bits_ones(width); }
static inline bits128 bits_urem(bits128 x, bits128 y) { return y ? x % y : x; }
static inline bits128 bits_abs(bits128 x, unsigned width) { return bits_negative(x, width) ? bits_neg(x, width) : x; }
static inline bits128 bits_sdiv(bits128 x, bits128 y, unsigned width) {
  bits128 q = bits_udiv(bits_abs(x, width), bits_abs(y, width), width);
  return bits_negative(x, width) != bits_negative(y, width) ? bits_neg(q, width) : q;
}
static inline bits128 bits_srem(bits128 x, bits128 y, unsigned width) {
  bits128 r = bits_urem(bits_abs(x, width), bits_abs(y, width));
  return bits_negative(x, width) ? bits_neg(r, width) : r;
}

static inline bits128 bits_shl(bits128 x, bits128 n, unsigned width) { return n < width ? bits_trim(x << (unsigned)n, width) : 0; }
static inline bits128 bits_lshr(bits128 x, bits128 n, unsigned width) { return n < width ? x >> (unsigned)n : 0; }
static inline bits128 bits_ashr(bits128 x, bits128 n, unsigned width) {
  if (!bits_negative(x, width)) return bits_lshr(x, n, width);
  return bits_trim(~bits_lshr(bits_trim(~x, width), n, width), width);
}
