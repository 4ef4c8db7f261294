/* What clang has no plain operations for among the vector instructions that every x86-64 processor has (SSE and SSE2): the loader turns
 * llvm.x86.NAME into a call of the function here. Approximations (rcp, rsqrt) are missing: processors differ in them. */
#include <limits.h>

#include "internal.h"

typedef int8_t v16i8 __attribute__((vector_size(16)));
typedef uint8_t v16u8 __attribute__((vector_size(16)));
typedef int16_t v8i16 __attribute__((vector_size(16)));
typedef uint16_t v8u16 __attribute__((vector_size(16)));
typedef int32_t v4i32 __attribute__((vector_size(16)));
typedef uint32_t v4u32 __attribute__((vector_size(16)));
typedef int64_t v2i64 __attribute__((vector_size(16)));
typedef uint64_t v2u64 __attribute__((vector_size(16)));
typedef float v4f __attribute__((vector_size(16)));
typedef double v2d __attribute__((vector_size(16)));

/* A definition of the intrinsic llvm.x86.SET.NAME, whose dots are underscores here. */
#define X86(type, name, ...)              \
  type __hd_llvm_x86_##name(__VA_ARGS__); \
  type __hd_llvm_x86_##name(__VA_ARGS__)

/* Constant indices: an index in a variable costs the machine more. */
#define EACH _Pragma("clang loop unroll(full)") for

/* --- masks of signs --- */

X86(int, sse2_pmovmskb_128, v16i8 x) {
  int mask = 0;
  EACH(int i = 0; i < 16; i++) mask |= (x[i] < 0) << i;
  return mask;
}

X86(int, sse2_movmsk_pd, v2d x) {
  v2i64 bits = (v2i64)x;
  return (bits[0] < 0) | (bits[1] < 0) << 1;
}

X86(int, sse_movmsk_ps, v4f x) {
  v4i32 bits = (v4i32)x;
  return (bits[0] < 0) | (bits[1] < 0) << 1 | (bits[2] < 0) << 2 | (bits[3] < 0) << 3;
}

/* --- integers --- */

static int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }

#define PACK(name, to, from, n, low, high)               \
  X86(to, name, from a, from b) {                        \
    to r = {0};                                          \
    EACH(int i = 0; i < (n); i++) {                      \
      r[i] = (typeof(r[0]))clamp(a[i], low, high);       \
      r[i + (n)] = (typeof(r[0]))clamp(b[i], low, high); \
    }                                                    \
    return r;                                            \
  }
PACK(sse2_packsswb_128, v16i8, v8i16, 8, INT8_MIN, INT8_MAX)
PACK(sse2_packssdw_128, v8i16, v4i32, 4, INT16_MIN, INT16_MAX)
PACK(sse2_packuswb_128, v16u8, v8i16, 8, 0, UINT8_MAX)

X86(v4i32, sse2_pmadd_wd, v8i16 a, v8i16 b) {
  v4i32 r = {0};
  EACH(int i = 0; i < 4; i++) r[i] = (int)((unsigned)(a[2 * i] * b[2 * i]) + (unsigned)(a[2 * i + 1] * b[2 * i + 1]));
  return r;
}

X86(v2u64, sse2_psad_bw, v16u8 a, v16u8 b) {
  v2u64 r = {0};
  EACH(int i = 0; i < 16; i++) r[i / 8] += (uint64_t)(a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]);
  return r;
}

#define LANES(name, type, n, value)                             \
  X86(type, name, type a, type b) {                             \
    type r = {0};                                               \
    EACH(int i = 0; i < (n); i++) r[i] = (typeof(r[0]))(value); \
    return r;                                                   \
  }
LANES(sse2_pmulh_w, v8i16, 8, a[i] * b[i] >> 16)
LANES(sse2_pmulhu_w, v8u16, 8, (uint32_t)a[i] * b[i] >> 16)
LANES(sse2_pavg_b, v16u8, 16, (a[i] + b[i] + 1) >> 1)
LANES(sse2_pavg_w, v8u16, 8, (a[i] + b[i] + 1) >> 1)

/* Shifts by the width and more give zero, or copies of the sign. The count is the low half of a vector, which has the type of the first
 * operand. */
#define SHIFT(name, immediate, type, n, bits, op, sign)                                        \
  static type shift_##immediate(type a, uint64_t by) {                                         \
    type r = {0};                                                                              \
    if (by >= (bits) && !(sign)) return r;                                                     \
    EACH(int i = 0; i < (n); i++) r[i] = (typeof(r[0]))(a[i] op(by < (bits) ? by : (bits)-1)); \
    return r;                                                                                  \
  }                                                                                            \
  X86(type, sse2_##name, type a, type by) { return shift_##immediate(a, ((v2u64)by)[0]); }     \
  X86(type, sse2_##immediate, type a, unsigned by) { return shift_##immediate(a, by); }
SHIFT(psll_w, pslli_w, v8u16, 8, 16, <<, false)
SHIFT(psll_d, pslli_d, v4u32, 4, 32, <<, false)
SHIFT(psll_q, pslli_q, v2u64, 2, 64, <<, false)
SHIFT(psrl_w, psrli_w, v8u16, 8, 16, >>, false)
SHIFT(psrl_d, psrli_d, v4u32, 4, 32, >>, false)
SHIFT(psrl_q, psrli_q, v2u64, 2, 64, >>, false)
SHIFT(psra_w, psrai_w, v8i16, 8, 16, >>, true)
SHIFT(psra_d, psrai_d, v4i32, 4, 32, >>, true)

X86(void, sse2_maskmov_dqu, v16i8 x, v16i8 mask, char *to) {
  EACH(int i = 0; i < 16; i++)
  if (mask[i] < 0) to[i] = x[i];
}

X86(void, sse2_clflush, const void *at) { (void)at; }

/* --- floating point --- */

/* Of two zeros, or if one is no number, the second. */
LANES(sse_min_ps, v4f, 4, a[i] < b[i] ? a[i] : b[i])
LANES(sse_max_ps, v4f, 4, a[i] > b[i] ? a[i] : b[i])
LANES(sse2_min_pd, v2d, 2, a[i] < b[i] ? a[i] : b[i])
LANES(sse2_max_pd, v2d, 2, a[i] > b[i] ? a[i] : b[i])

#define FIRST(name, type, value) \
  X86(type, name, type a, type b) { return a[0] = (value), a; }
FIRST(sse_min_ss, v4f, a[0] < b[0] ? a[0] : b[0])
FIRST(sse_max_ss, v4f, a[0] > b[0] ? a[0] : b[0])
FIRST(sse2_min_sd, v2d, a[0] < b[0] ? a[0] : b[0])
FIRST(sse2_max_sd, v2d, a[0] > b[0] ? a[0] : b[0])

static bool compare(double a, double b, unsigned predicate) {
  bool unordered = a != a || b != b, result = false;
  switch (predicate & 3) {
    case 0:
      result = a == b;
      break;
    case 1:
      result = a < b;
      break;
    case 2:
      result = a <= b;
      break;
    case 3:
      result = unordered;
      break;
  }
  return predicate & 4 ? !result : result;
}

X86(v4f, sse_cmp_ss, v4f a, v4f b, int8_t predicate) {
  v4i32 r = (v4i32)a;
  r[0] = -compare((double)a[0], (double)b[0], (unsigned)predicate);
  return (v4f)r;
}

X86(v2d, sse2_cmp_sd, v2d a, v2d b, int8_t predicate) {
  v2i64 r = (v2i64)a;
  r[0] = -(int64_t)compare(a[0], b[0], (unsigned)predicate);
  return (v2d)r;
}

X86(v4f, sse_cmp_ps, v4f a, v4f b, int8_t predicate) {
  v4i32 r = {0};
  EACH(int i = 0; i < 4; i++) r[i] = -compare((double)a[i], (double)b[i], (unsigned)predicate);
  return (v4f)r;
}

X86(v2d, sse2_cmp_pd, v2d a, v2d b, int8_t predicate) {
  v2i64 r = {-(int64_t)compare(a[0], b[0], (unsigned)predicate), -(int64_t)compare(a[1], b[1], (unsigned)predicate)};
  return (v2d)r;
}

#define ORDER(name, op)                                                 \
  X86(int, sse_comi##name##_ss, v4f a, v4f b) { return a[0] op b[0]; }  \
  X86(int, sse_ucomi##name##_ss, v4f a, v4f b) { return a[0] op b[0]; } \
  X86(int, sse2_comi##name##_sd, v2d a, v2d b) { return a[0] op b[0]; } \
  X86(int, sse2_ucomi##name##_sd, v2d a, v2d b) { return a[0] op b[0]; }
ORDER(eq, ==)
ORDER(neq, !=)
ORDER(lt, <)
ORDER(le, <=)
ORDER(gt, >)
ORDER(ge, >=)

/* --- conversions: what does not fit becomes the lowest number --- */

static int to_int(double x) { return x > -2147483649.0 && x < 2147483648.0 ? (int)x : INT_MIN; }
static int64_t to_long(double x) { return x >= -0x1p63 && x < 0x1p63 ? (int64_t)x : INT64_MIN; }
static double even(double x) { return __builtin_rint(x); }

X86(int, sse_cvtss2si, v4f x) { return to_int(even((double)x[0])); }
X86(int, sse_cvttss2si, v4f x) { return to_int((double)x[0]); }
X86(int64_t, sse_cvtss2si64, v4f x) { return to_long(even((double)x[0])); }
X86(int64_t, sse_cvttss2si64, v4f x) { return to_long((double)x[0]); }
X86(int, sse2_cvtsd2si, v2d x) { return to_int(even(x[0])); }
X86(int, sse2_cvttsd2si, v2d x) { return to_int(x[0]); }
X86(int64_t, sse2_cvtsd2si64, v2d x) { return to_long(even(x[0])); }
X86(int64_t, sse2_cvttsd2si64, v2d x) { return to_long(x[0]); }
X86(v4i32, sse2_cvtpd2dq, v2d x) { return (v4i32){to_int(even(x[0])), to_int(even(x[1]))}; }
X86(v4i32, sse2_cvttpd2dq, v2d x) { return (v4i32){to_int(x[0]), to_int(x[1])}; }
X86(v4f, sse2_cvtpd2ps, v2d x) { return (v4f){(float)x[0], (float)x[1]}; }
X86(v4f, sse2_cvtsd2ss, v4f a, v2d x) { return a[0] = (float)x[0], a; }

X86(v4i32, sse2_cvtps2dq, v4f x) {
  return (v4i32){to_int(even((double)x[0])), to_int(even((double)x[1])), to_int(even((double)x[2])), to_int(even((double)x[3]))};
}

X86(v4i32, sse2_cvttps2dq, v4f x) {
  return (v4i32){to_int((double)x[0]), to_int((double)x[1]), to_int((double)x[2]), to_int((double)x[3])};
}
