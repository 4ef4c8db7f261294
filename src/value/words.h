/* What each operator of bit vectors is as a circuit. Words have `width` literals, from the lowest bit up; `out` is no operand.
 * Only for src/value. */
#pragma once
#include "value/expr.h"
#include "value/gates.h"

/* EXPR_ADD to EXPR_ASHR: `width` bits into `out`; EXPR_EQ to EXPR_SLE: one. Division is the long division of a school book, whose
 * answers for 0 are SMT-LIB's. */
void word_binary(struct gates *g, enum expr_op op, unsigned width, const struct lit *a, const struct lit *b, struct lit *out);
void word_neg(struct gates *g, unsigned width, const struct lit *a, struct lit *out);
void word_ite(struct gates *g, unsigned width, struct lit c, const struct lit *a, const struct lit *b, struct lit *out);
/* out = a + b + carry; the carry out of it is returned. `out` may be `a` or `b`. */
struct lit word_sum(struct gates *g, unsigned width, const struct lit *a, const struct lit *b, struct lit carry, struct lit *out);
/* out = a - b; returned: a >= b. */
struct lit word_difference(struct gates *g, unsigned width, const struct lit *a, const struct lit *b, struct lit *out);
/* The lowest `width` bits of a * b. */
void word_product(struct gates *g, unsigned width, const struct lit *a, const struct lit *b, struct lit *out);
/* Is any bit 1? */
struct lit word_any(struct gates *g, unsigned width, const struct lit *a);
/* a < b, without a sign. */
struct lit word_less(struct gates *g, unsigned width, const struct lit *a, const struct lit *b);
struct lit word_equal(struct gates *g, unsigned width, const struct lit *a, const struct lit *b);
