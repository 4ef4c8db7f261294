#include <math.h>
#include <string.h>

#include "value/real.h"
#include "value_tree.h"

bool tree_is_real(const struct tree_node *n) { return n->op >= EXPR_REAL_ADD && n->op <= EXPR_REAL_FROM_UNSIGNED; }

int tree_grow_real(struct tree *t, struct tree_node *n, unsigned *of) {
  static const unsigned widths[] = {1, 7, 16, 31, 32, 33, 64};
  n->op = (enum expr_op)(EXPR_REAL_ADD + tree_random(t, EXPR_REAL_FROM_UNSIGNED - EXPR_REAL_ADD + 1));
  if (n->op == EXPR_REAL_TO_SIGNED && n->width != 64) n->op = EXPR_REAL_MUL;
  *of = n->width;
  if (n->op == EXPR_REAL_ROUND) n->low = (unsigned)tree_random(t, REAL_ZERO + 1);
  if (n->op == EXPR_REAL_CONVERT) *of = 96 - n->width;
  if (n->op == EXPR_REAL_TO_SIGNED) *of = tree_random(t, 2) ? 32 : 64;
  if (n->op == EXPR_REAL_FROM_SIGNED || n->op == EXPR_REAL_FROM_UNSIGNED) *of = widths[tree_random(t, 7)];
  return n->op <= EXPR_REAL_DIV ? 2 : 1;
}

static float float_of(bits128 x) {
  uint32_t bits = (uint32_t)x;
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

static double double_of(bits128 x) {
  uint64_t bits = (uint64_t)x;
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}

static bits128 of_float(float f) {
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return isnan(f) ? 0xffc00000u : bits;
}

static bits128 of_double(double d) {
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return isnan(d) ? 0xfff8000000000000u : bits;
}

bits128 tree_some_real(struct tree *t, unsigned width, bits128 x) {
  static const double numbers[] = {0, 0.5, 1, 1.5, 2, 2.25, 3, 100, 0.1, 16777217, 0x1p62, 0x1p63, 0x1p-126, 0x1p-1022, INFINITY, NAN};
  double d = numbers[tree_random(t, 16)];
  if (tree_random(t, 2)) d = -d;
  return width == 32 ? of_float((float)d) : width == 64 ? of_double(d) : x;
}

static float float_value(const struct tree_node *n, bits128 a, bits128 b, int64_t integer) {
  float (*const modes[])(float) = {roundevenf, roundf, ceilf, floorf, truncf};
  float x = float_of(a), y = float_of(b);
  switch ((int)n->op) {
  case EXPR_REAL_ADD: return x + y;
  case EXPR_REAL_MUL: return x * y;
  case EXPR_REAL_DIV: return x / y;
  case EXPR_REAL_SQRT: return sqrtf(x);
  case EXPR_REAL_ROUND: return modes[n->low](x);
  case EXPR_REAL_CONVERT: return (float)double_of(a);
  case EXPR_REAL_FROM_SIGNED: return (float)integer;
  }
  return (float)(uint64_t)a;
}

static double double_value(const struct tree_node *n, bits128 a, bits128 b, int64_t integer) {
  double (*const modes[])(double) = {roundeven, round, ceil, floor, trunc};
  double x = double_of(a), y = double_of(b);
  switch ((int)n->op) {
  case EXPR_REAL_ADD: return x + y;
  case EXPR_REAL_MUL: return x * y;
  case EXPR_REAL_DIV: return x / y;
  case EXPR_REAL_SQRT: return sqrt(x);
  case EXPR_REAL_ROUND: return modes[n->low](x);
  case EXPR_REAL_CONVERT: return float_of(a);
  case EXPR_REAL_FROM_SIGNED: return (double)integer;
  }
  return (double)(uint64_t)a;
}

bits128 tree_real_value(const struct tree_node *n, unsigned of, bits128 x, bits128 y) {
  if (n->op == EXPR_REAL_TO_SIGNED) {
    double d = of == 32 ? (double)float_of(x) : double_of(x);
    return fabs(d) < 0x1p63 ? (uint64_t)(int64_t)d : (uint64_t)1 << 63;
  }
  bool negative = of < 64 && x >> (of - 1) & 1;
  int64_t integer = (int64_t)(uint64_t)x - (negative ? (int64_t)1 << of : 0);
  return n->width == 32 ? of_float(float_value(n, x, y, integer)) : of_double(double_value(n, x, y, integer));
}

uint32_t tree_build_real(const struct tree_node *n, struct value_pool *p, struct expr x, struct expr y) {
  switch ((int)n->op) {
  case EXPR_REAL_ADD: return real_expr_add(p, x, y).id;
  case EXPR_REAL_MUL: return real_expr_multiply(p, x, y).id;
  case EXPR_REAL_DIV: return real_expr_divide(p, x, y).id;
  case EXPR_REAL_SQRT: return real_expr_root(p, x).id;
  case EXPR_REAL_ROUND: return real_expr_round(p, (enum real_mode)n->low, x).id;
  case EXPR_REAL_CONVERT: return real_expr_convert(p, x, n->width).id;
  case EXPR_REAL_TO_SIGNED: return real_expr_to_signed(p, x).id;
  }
  return real_expr_from_integer(p, n->op == EXPR_REAL_FROM_SIGNED, x, n->width).id;
}
