/* The nodes below an expression, from the leaves up. Only for src/value. */
#pragma once
#include "value/internal.h"

struct walk {
  VEC(uint32_t) ids; /* rising, so operands first; the last is the expression itself */
  struct hashmap seen;
};

/* Sets `w`, which is zeroed. */
void walk_from(struct walk *w, const struct value_pool *p, const uint32_t *roots, size_t count);
void walk_release(struct walk *w);
