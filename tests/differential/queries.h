/* Where questions about paths come from, and who knows the answers. */
#pragma once
#include "value/eval.h"
#include "value/solver.h"
#include "value_tree.h"

/* One round's conditions, all of one pool. */
struct source {
  struct value_pool *pool;
  struct tree random;
  VEC(struct expr) starts; /* what each path begins with */
  void *own;
  /* A condition of one bit. */
  struct expr (*condition)(struct source *s);
  /* Can all hold at once? VALUE_UNKNOWN: it gave up. */
  enum value_answer (*truth)(struct source *s, const struct expr *conditions, size_t count);
  void (*release)(struct source *s);
};

/* Few values: three symbols of 2 and 3 bits, an array of two bytes below 4; all 4,096 assignments are tried. */
void source_small(struct source *s, uint64_t seed);
/* Widths up to 128 and arrays; Z3 is asked. */
void source_wide(struct source *s, uint64_t seed);
