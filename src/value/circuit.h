/* Conditions as clauses of a solver that has other things to decide as well: src/reproduce has orders of steps beside values.
 *
 * Each bit of an expression is a literal of that solver. Literals come in pairs, `l` and `l ^ 1`, its inverse; 0 is true, 1 is false, as in
 * order/order.h. Expressions without arrays only. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "value/expr.h"

/* Where the circuit goes: a fresh variable, as its positive literal; a clause, of which one literal must hold. */
struct circuit_solver {
  uint32_t (*variable)(void *data);
  void (*clause)(void *data, const uint32_t *literals, size_t count);
  void *data;
};

struct circuit;

/* The pool outlives it. */
[[nodiscard]] struct circuit *circuit_new(struct value_pool *p, const struct circuit_solver *solver);
void circuit_free(struct circuit *c);
/* A literal that holds if and only if the condition does. False: there would be more than `most` gates, or it has arrays. */
[[nodiscard]] bool circuit_condition(struct circuit *c, struct expr condition, size_t most, uint32_t *literal);
