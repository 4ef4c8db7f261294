/* Expressions of floating point: binary32 and binary64, in vectors of 32 and 64 bits (real_bits.h: what each operator gives).
 *
 * Operators are those that bits alone cannot say in a few steps; a difference is a sum, and a comparison compares bits. What is an identity
 * of numbers is none here as a rule: x + 0 is not x (of -0), x = x is false (of NaN). */
#pragma once
#include "value/expr.h"
#include "value/real_bits.h"

struct expr real_expr_add(struct value_pool *p, struct expr x, struct expr y);
struct expr real_expr_multiply(struct value_pool *p, struct expr x, struct expr y);
struct expr real_expr_divide(struct value_pool *p, struct expr x, struct expr y);
struct expr real_expr_root(struct value_pool *p, struct expr x);
struct expr real_expr_round(struct value_pool *p, enum real_mode mode, struct expr x);
/* To 32 or 64 bits. */
struct expr real_expr_convert(struct value_pool *p, struct expr x, unsigned width);
/* To 64 bits. */
struct expr real_expr_to_signed(struct value_pool *p, struct expr x);
struct expr real_expr_to_unsigned(struct value_pool *p, struct expr x); /* what is not below 2^63 and below 2^64, as to_signed does */
/* An integer of up to 64 bits to 32 or 64. */
struct expr real_expr_from_integer(struct value_pool *p, bool is_signed, struct expr x, unsigned width);

/* The same number with the other sign, without one, with that of `sign`. */
struct expr real_expr_negate(struct value_pool *p, struct expr x);
struct expr real_expr_absolute(struct value_pool *p, struct expr x);
struct expr real_expr_copy_sign(struct value_pool *p, struct expr x, struct expr sign);

/* Conditions. Of NaN, what compares is false. */
struct expr real_expr_is_nan(struct value_pool *p, struct expr x);
struct expr real_expr_unordered(struct value_pool *p, struct expr x, struct expr y);
struct expr real_expr_equal(struct value_pool *p, struct expr x, struct expr y);
struct expr real_expr_less(struct value_pool *p, struct expr x, struct expr y);
struct expr real_expr_less_equal(struct value_pool *p, struct expr x, struct expr y);
