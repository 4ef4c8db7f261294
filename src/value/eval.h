/* Values of expressions where those of their symbols are known, and expressions with others in place of symbols.
 *
 * A model gives each symbol a number, 0 if nothing else was said; an array symbol has a byte at each index likewise. Finding a value is
 * a binary search, adding one at the end costs O(1) and elsewhere a move of what is behind: symbols come in rising order as a rule.
 * Nothing here recurses: expressions may be as deep as a loop is long. */
#pragma once
#include "base/hash.h"
#include "base/vec.h"
#include "value/expr.h"

/* Zeroed: all symbols are 0. Owned by whoever made it. */
struct value_model {
  VEC(struct model_value {
    struct symbol symbol;
    uint64_t index; /* of an array's byte; a number has 0 */
    bits128 value;
  })
  values; /* rising by symbol, then by index; each pair once */
};

void value_model_set(struct value_model *m, struct symbol s, bits128 value);
void value_model_set_byte(struct value_model *m, struct symbol array, uint64_t index, uint8_t byte);
bits128 value_model_get(const struct value_model *m, struct symbol s);
uint8_t value_model_get_byte(const struct value_model *m, struct symbol array, uint64_t index);
/* All that `m` says of `s` (of an array: each of its bytes) becomes what `from` says; `m` and `from` are not the same. */
void value_model_take(struct value_model *m, struct symbol s, const struct value_model *from);
void value_model_copy(struct value_model *m, const struct value_model *from);
void value_model_clear(struct value_model *m);
void value_model_release(struct value_model *m);

/* The number that `e` is under the model. */
bits128 expr_eval(const struct value_pool *p, struct expr e, const struct value_model *m);

/* The same for many expressions under one model: each node is evaluated once between two calls of evaluator_begin(). Zeroed is new; it
 * keeps 20 bytes for each expression of the pool until it is released. */
struct evaluator {
  const struct value_pool *pool;
  const struct value_model *model;
  bits128 *values; /* by id, where `rounds` has the current round; an array has none */
  uint32_t *rounds;
  size_t room; /* of both */
  uint32_t round;
  VEC(uint32_t) stack;
};
/* Forgets all values; pool and model are only borrowed, and the model does not change until the next call. */
void evaluator_begin(struct evaluator *v, const struct value_pool *p, const struct value_model *m);
bits128 evaluator_value(struct evaluator *v, struct expr e);
void evaluator_release(struct evaluator *v);

/* What stands for a symbol: an expression of its width, or an array. Those without an entry stay. */
struct substitution {
  struct symbol symbol;
  uint32_t by; /* id of the expression or array */
};
/* `e` with all `count` replaced at once, simplified anew. Each symbol is there at most once. */
struct expr expr_substitute(struct value_pool *p, struct expr e, const struct substitution *by, size_t count);

/* The same for many expressions: each node is made anew once between two calls of substituter_begin(). Zeroed is new; it keeps 8 bytes for
 * each expression of the pool until it is released. */
struct substituter {
  struct value_pool *pool;
  struct hashmap of_symbol; /* to what stands for it */
  uint32_t *results;        /* by id, where `rounds` has the current round */
  uint32_t *rounds;
  size_t room; /* of both */
  uint32_t round;
  VEC(uint32_t) stack;
};
/* Forgets all: symbols stand for themselves. The pool is only borrowed. */
void substituter_begin(struct substituter *t, struct value_pool *p);
/* The symbol is to be replaced; it was in nothing that was asked for since the beginning, or the same was said of it then. */
void substituter_replace(struct substituter *t, struct substitution by);
struct expr substituter_result(struct substituter *t, struct expr e);
void substituter_release(struct substituter *t);
