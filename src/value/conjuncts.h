/* The parts of a conjunction, and sets of conditions as sorted ids. Only for src/value. */
#pragma once
#include "value/internal.h"

struct conjuncts {
  VEC(uint32_t) ids;
  VEC(uint32_t) waiting; /* to be split */
};

/* Adds what `condition` is the conjunction of, from left to right: no conjunction, no inverse of a disjunction, no equation of
 * bytes that were put together and none of a disjunction and 0 is among it. */
void conjuncts_add(struct conjuncts *c, struct value_pool *p, struct expr condition);
/* Sorts the ids; each is there once then, and `true` is not. */
void conjuncts_sort(struct conjuncts *c, const struct value_pool *p);
/* `a`, sorted, is a part of `b`, sorted. */
bool ids_include(const uint32_t *b, size_t b_count, const uint32_t *a, size_t a_count);
void conjuncts_release(struct conjuncts *c);
