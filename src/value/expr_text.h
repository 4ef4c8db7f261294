/* Expressions for people, and for other solvers. */
#pragma once
#include "base/text.h"
#include "value/expr.h"

/* As in C, with the operators' names of SMT-LIB where C has none. What is deeper than 12 operators is "...". */
void expr_print(const struct value_pool *p, struct expr e, struct text *out);
/* A part of an SMT-LIB 2 script: declares the symbols, and defines the expressions and all that they are made of as constants, "e" and the
 * id. Each node is written once, so it is as long as the expressions have nodes, however often they share. */
void expr_define_smt(const struct value_pool *p, const struct expr *all, size_t count, struct text *out);
/* A whole script, which asks whether all conditions can hold at once. */
void expr_print_smt(const struct value_pool *p, const struct expr *conditions, size_t count, struct text *out);
