/* Expressions up to the names of their symbols: `x + 1` of the fifth input is like `x + 1` of the sixth, if nothing else is told of either.
 *
 * A program that reads input for ever comes back to its states, but for the names of what it holds. So symbols get numbers in the order in
 * which they are met, and a state's expressions are hashed one after the other with these: equal states in which other inputs stand for
 * the same have the same hashes. What is hashed in another order may have others. */
#pragma once
#include "base/vec.h"
#include "value/expr.h"

struct renaming_symbol {
  struct symbol symbol;
  struct symbol_name name;
};

/* Zeroed but for `pool` is ready for use. */
struct renaming {
  const struct value_pool *pool;
  struct hashmap numbers;          /* of symbols, from 0 on */
  struct hashmap hashes;           /* of expressions and arrays */
  struct hashmap sums;             /* of those that are sums: of their parts */
  VEC(struct renaming_symbol) met; /* scratch */
  VEC(uint32_t) todo;
};

/* The symbol's number: the next one, if it has none. */
uint64_t renaming_number(struct renaming *r, struct symbol s);
bool renaming_has(const struct renaming *r, struct symbol s);
uint64_t renaming_hash(struct renaming *r, struct expr e);
/* No symbol has a number. */
void renaming_clear(struct renaming *r);
void renaming_release(struct renaming *r);
