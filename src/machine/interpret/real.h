/* Floats and doubles: what a result is where it is NaN, the same whatever the compiler makes of this program, so that expressions can say
 * it (symbolic/look_real.c). The first operand's NaN, made quiet; else the second's; else x86's own, which has the sign. The smaller and
 * the larger of two are the one that is no NaN; the second if they are equal. */
#pragma once
#include "machine/interpret/slots.h"

#define FLOAT_QUIET  0x00400000u
#define DOUBLE_QUIET 0x0008000000000000u

static inline uint64_t float_nan(uint64_t x, uint64_t y) {
  if (slot_float(x) != slot_float(x)) return x | FLOAT_QUIET;
  return slot_float(y) != slot_float(y) ? y | FLOAT_QUIET : 0xffc00000u;
}
static inline uint64_t double_nan(uint64_t x, uint64_t y) {
  if (slot_double(x) != slot_double(x)) return x | DOUBLE_QUIET;
  return slot_double(y) != slot_double(y) ? y | DOUBLE_QUIET : 0xfff8000000000000u;
}

/* Of the operation on slots x and y whose result is z. Of one operand it is both. */
static inline uint64_t float_result(float z, uint64_t x, uint64_t y) {
  return __builtin_expect(z != z, 0) ? float_nan(x, y) : float_slot(z);
}
static inline uint64_t double_result(double z, uint64_t x, uint64_t y) {
  return __builtin_expect(z != z, 0) ? double_nan(x, y) : double_slot(z);
}
