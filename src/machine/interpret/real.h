/* Floats and doubles: what a result is where it is NaN, the same whatever the compiler makes of this program, so that expressions can say
 * it (symbolic/look_real.c). The first operand's NaN, made quiet; else the second's; else x86's own, which has the sign. The smaller and
 * the larger of two are the one that is no NaN; the second if they are equal. */
#pragma once
#include "machine/interpret/slots.h"
#include "value/real_bits.h"

static inline uint64_t real_nan_of(uint64_t x, uint64_t y, unsigned width) {
  if (real_bits_are_nan(x, width)) return x | (uint64_t)real_quiet(width);
  return (uint64_t)(real_bits_are_nan(y, width) ? y | real_quiet(width) : real_nan(width));
}

/* Of the operation on slots x and y whose result is z. Of one operand it is both. */
static inline uint64_t float_result(float z, uint64_t x, uint64_t y) {
  return __builtin_expect(z != z, 0) ? real_nan_of(x, y, 32) : float_slot(z);
}
static inline uint64_t double_result(double z, uint64_t x, uint64_t y) {
  return __builtin_expect(z != z, 0) ? real_nan_of(x, y, 64) : double_slot(z);
}
