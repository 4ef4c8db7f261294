/* Reading slots as the types they hold (opcode.h, Values). */
#pragma once
#include <stdint.h>
#include <string.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

static inline float slot_float(uint64_t s) {
  uint32_t bits = (uint32_t)s;
  float f;
  memcpy(&f, &bits, 4);
  return f;
}
static inline uint64_t float_slot(float f) {
  uint32_t bits;
  memcpy(&bits, &f, 4);
  return bits;
}
static inline double slot_double(uint64_t s) {
  double d;
  memcpy(&d, &s, 8);
  return d;
}
static inline uint64_t double_slot(double d) {
  uint64_t s;
  memcpy(&s, &d, 8);
  return s;
}
static inline long double slots_fp80(const uint64_t *s) {
  long double x = 0;
  memcpy(&x, s, 10);
  return x;
}
static inline void fp80_slots(uint64_t *s, long double x) {
  s[0] = s[1] = 0;
  memcpy(s, &x, 10);
}
static inline u128 slots_wide(const uint64_t *s) { return (u128)s[1] << 64 | s[0]; }
static inline void wide_slots(uint64_t *s, u128 x) { s[0] = (uint64_t)x, s[1] = (uint64_t)(x >> 64); }
/* Low `width` bits (1..64) of x, and x sign-extended from them. */
static inline uint64_t low_bits(uint64_t x, unsigned width) { return width >= 64 ? x : x & ((1ull << width) - 1); }
static inline int64_t sign_bits(uint64_t x, unsigned width) {
  return width >= 64 ? (int64_t)x : (int64_t)(x << (64 - width)) >> (64 - width);
}
