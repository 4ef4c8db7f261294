/* Floating point in Z3: its theory, where a number is made of bits and becomes bits again. */
#include "value/engine_z3.h"
#include "value/real_bits.h"

static Z3_sort format_sort(struct engine_z3 *z, unsigned width) {
  struct real_format f = real_format(width);
  return z->mk_fpa_sort(z->context, f.exponent, f.significand);
}

static Z3_ast rounding(struct engine_z3 *z, enum real_mode mode) {
  switch (mode) {
    case REAL_EVEN:
      break;
    case REAL_AWAY:
      return z->mk_fpa_rna(z->context);
    case REAL_UP:
      return z->mk_fpa_rtp(z->context);
    case REAL_DOWN:
      return z->mk_fpa_rtn(z->context);
    case REAL_ZERO:
      return z->mk_fpa_rtz(z->context);
  }
  return z->mk_fpa_rne(z->context);
}

/* What does not fit is the least integer: its exponent says so. */
static Z3_ast to_signed(struct engine_z3 *z, unsigned of, Z3_ast bits, Z3_ast number) {
  Z3_context c = z->context;
  struct real_format f = real_format(of);
  Z3_ast field = z->mk_extract(c, of - 2, f.significand - 1, bits);
  Z3_ast fits = z->mk_bvult(c, field, z3_number(z, real_bias(f) + 63, f.exponent));
  return z->mk_ite(c, fits, z->mk_fpa_to_sbv(c, rounding(z, REAL_ZERO), number, 64), z3_number(z, bits_min(64), 64));
}

static Z3_ast of_number(struct engine_z3 *z, const struct node *n, Z3_ast x, Z3_ast y) {
  Z3_context c = z->context;
  Z3_ast even = rounding(z, REAL_EVEN);
  switch ((int)n->op) {
    case EXPR_REAL_ADD:
      return z->mk_fpa_add(c, even, x, y);
    case EXPR_REAL_MUL:
      return z->mk_fpa_mul(c, even, x, y);
    case EXPR_REAL_DIV:
      return z->mk_fpa_div(c, even, x, y);
    case EXPR_REAL_SQRT:
      return z->mk_fpa_sqrt(c, even, x);
    case EXPR_REAL_ROUND:
      return z->mk_fpa_round_to_integral(c, rounding(z, (enum real_mode)n->args[1]), x);
  }
  return z->mk_fpa_to_fp_float(c, even, x, format_sort(z, n->width)); /* EXPR_REAL_CONVERT */
}

Z3_ast z3_real(struct engine_z3 *z, const struct node *n, unsigned of, Z3_ast x, Z3_ast y) {
  Z3_context c = z->context;
  Z3_ast result;
  if (n->op == EXPR_REAL_FROM_SIGNED) {
    result = z->mk_fpa_to_fp_signed(c, rounding(z, REAL_EVEN), x, format_sort(z, n->width));
  } else if (n->op == EXPR_REAL_FROM_UNSIGNED) {
    result = z->mk_fpa_to_fp_unsigned(c, rounding(z, REAL_EVEN), x, format_sort(z, n->width));
  } else {
    Z3_ast number = z->mk_fpa_to_fp_bv(c, x, format_sort(z, of));
    if (n->op == EXPR_REAL_TO_SIGNED) return to_signed(z, of, x, number);
    result = of_number(z, n, number, y ? z->mk_fpa_to_fp_bv(c, y, format_sort(z, of)) : NULL);
  }
  return z->mk_ite(c, z->mk_fpa_is_nan(c, result), z3_number(z, real_nan(n->width), n->width), z->mk_fpa_to_ieee_bv(c, result));
}
