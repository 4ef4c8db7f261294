/* Expressions for people, and for other solvers. */
#pragma once
#include "base/text.h"
#include "value/expr.h"

/* As in C, with the operators' names of SMT-LIB where C has none. What is deeper than 12 operators is "...". */
void expr_print(const struct value_pool *p, struct expr e, struct text *out);
/* An SMT-LIB 2 script that asks whether all conditions can hold at once. Each node is written once, so it is as long as the
 * expressions have nodes, however often they share. */
void expr_print_smt(const struct value_pool *p, const struct expr *conditions, size_t count, struct text *out);
