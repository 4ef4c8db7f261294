// Floats and doubles: one of all numbers, what rounding does, NaN, conversions.
// verdict: BUG
// cflags: -DPART=1 -DWRONG
// finding: assertion A
// case: product
// verdict: SAFE
// cflags: -DPART=1
// case: inverse-wrong
// verdict: BUG
// cflags: -DPART=2 -DWRONG
// finding: assertion B
// case: inverse
// verdict: SAFE
// cflags: -DPART=2
// case: conversion-wrong
// verdict: BUG
// cflags: -DPART=3 -DWRONG
// finding: assertion C
// case: conversion
// verdict: SAFE
// cflags: -DPART=3
// case: nan-wrong
// verdict: BUG
// cflags: -DPART=4 -DWRONG
// finding: assertion D
// case: nan
// verdict: SAFE
// cflags: -DPART=4
// case: integer-wrong
// verdict: BUG
// cflags: -DPART=5 -DWRONG
// finding: assertion E
// case: integer
// verdict: SAFE
// cflags: -DPART=5
// case: root-wrong
// verdict: BUG
// cflags: -DPART=6 -DWRONG
// finding: assertion F
// case: root
// verdict: SAFE
// cflags: -DPART=6
// case: bits-wrong
// verdict: BUG
// cflags: -DPART=7 -DWRONG
// finding: assertion G
// case: bits
// verdict: SAFE
// cflags: -DPART=7
// case: vector
// verdict: SAFE
// cflags: -DPART=8
// case: dpor
// verdict: SAFE
// options: --strategy=dpor
// cflags: -DPART=4
#include <errno.h>
#include <heddle.h>
#include <math.h>
#include <string.h>

#ifdef WRONG
#define OR(right, wrong) (wrong)
#else
#define OR(right, wrong) (right)
#endif

static double any(void) {
  double x;
  hd_symbolic(&x, sizeof x, "x");
  return x;
}

static int any_int(void) {
  int i;
  hd_symbolic(&i, sizeof i, "i");
  return i;
}

int main(void) {
#if PART == 1
  double x = any();
  if (x > 0 && x * x == 2.25) hd_assert(x == OR(1.5, 1.25)); /* @A */
#elif PART == 2
  double x = any(), y = 1.0 / x;
  hd_assert(!(y > 0) || OR(x >= 0, x > 0)); /* @B of +0, it is infinite */
#elif PART == 3
  int i = any_int();
  hd_assert(OR((double)i, (float)i) != 16777216 || i == 16777216); /* @C the next integer is no float */
#elif PART == 4
  double x = any();
  hd_assert(OR(x == x || x != x, x == x) && isnan(x) == (x != x)); /* @D */
  if (x < 1) hd_assert(!(x >= 1));
#elif PART == 5
  double x = any();
  hd_assume(x > -1000 && x < 1000);
  int i = (int)x;
  hd_assert(i == OR(trunc(x), floor(x)) && fabs(x - i) < 1); /* @E toward zero */
  hd_assert((long)(x * 0) == 0 && (unsigned char)fabs(x / 4) <= 250);
#elif PART == 6
  double x = any();
  hd_assume(!isnan(x) && x < 0x1p64);
  errno = 0;
  double y = sqrt(x);
  hd_assert(OR(y <= 0x1p32, y * y <= x) || errno == EDOM); /* @F it may be rounded up */
  hd_assert((errno == EDOM) == (x < 0) && isnan(y) == (x < 0));
#elif PART == 7
  double x = any(), y = x + 1;
  unsigned long bits, before;
  memcpy(&bits, &y, sizeof bits), memcpy(&before, &x, sizeof before);
  if (x != x) hd_assert(bits == OR(before | 1ul << 51, before)); /* @G a quiet NaN, with the same sign and payload */
#elif PART == 8
  typedef float floats __attribute__((vector_size(16)));
  float f;
  hd_symbolic(&f, sizeof f, "f");
  hd_assume(f > 0 && f < 1e30f);
  floats v = {f, 1, f, 2}, w = v + v * 2;
  hd_assert(w[0] == w[2] && w[0] >= f && w[1] == 3 && w[3] == 6);
#endif
  return 0;
}
