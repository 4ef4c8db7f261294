/* What a path says about the symbols that somebody still has.
 *
 *     x = in(); y = in(); if (x < y && z == 7) ...          with x and z in use, and y not any more
 *
 * The path is x < y, z == 7. Nobody will ask for y again, so what matters of it is that there is one: of x < y, that x is not the greatest
 * number; and nothing at all of y's other comparisons with what else is gone. */
#pragma once
#include "base/vec.h"
#include "value/solver.h"

struct living {
  VEC(struct expr) conditions;
};

/* Leaves conditions which values of the living symbols satisfy, together with some values of the others, just if they and some values of
 * the others satisfy those that were there; as few as can be told, each of which has to do with a living symbol. They are satisfiable.
 * `living`: ids of symbols. The solver is asked what values a symbol may have that is gone, with little work. `scratch` is changed. */
void living_reduce(struct living *l, struct value_pool *p, struct value_solver *s, struct evaluator *scratch, const struct hashmap *living);
void living_release(struct living *l);
