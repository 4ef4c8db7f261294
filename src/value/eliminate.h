/* Conditions that say what a symbol is, taken out of a set before an engine is asked. Only for src/value.
 *
 * `symbol = expression` defines the symbol where the expression does not have it, nor through other definitions: then it is replaced
 * everywhere, the condition is left out, and the symbol's value follows from a model of the rest. A log of where a run went is full of
 * those. */
#pragma once
#include "value/conjuncts.h"
#include "value/eval.h"

struct definition {
  uint32_t symbol, condition; /* that says so */
  struct expr by;             /* with the definitions before it in it, once it is in `definitions` */
  enum { NOT_VISITED, VISITING, VISITED } state;
  bool cyclic;
};

struct elimination {
  struct value_pool *pool;
  VEC(struct definition) found;       /* one for a symbol */
  struct hashmap of_symbol;           /* symbol to its index in `found` */
  VEC(struct definition) definitions; /* those that are used: each behind those that it needs */
  struct conjuncts left; /* the other conditions, with the definitions in them; none is `true`, or follows from another bound */
  struct hashmap origin; /* each of them to the condition that it was */
  VEC(struct definition_visit {
    uint32_t found;
    size_t next; /* of its expression's symbols */
  })
  stack;
};

/* Zeroed but for `pool` is new. Sets `left`. */
void eliminate(struct elimination *e, const uint32_t *ids, size_t count);
/* Adds the values of symbols that were defined to a model of `left`. */
void eliminate_complete(const struct elimination *e, struct value_model *model);
/* `core` becomes, of a part of `left`, the conditions of the set that cannot hold together if that part cannot. */
void eliminate_core(const struct elimination *e, struct conjuncts *core);
void eliminate_release(struct elimination *e);
