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
struct lit word_equal(struct gates *g, unsigned width, const struct lit *a, const struct lit *b);
