/* Values of expressions where those of their symbols are known, and expressions with others in place of symbols.
 *
 * A model gives each symbol a number, 0 if nothing else was said; an array symbol has a byte at each index likewise.
 * Neither function recurses: expressions may be as deep as a loop is long. */
#pragma once
#include "base/vec.h"
#include "value/expr.h"

/* Zeroed: all symbols are 0. */
struct value_model {
  VEC(bits128) numbers; /* by symbol */
  VEC(struct model_byte {
    struct symbol array;
    uint64_t index;
    uint8_t byte;
  })
  bytes;
};

void value_model_set(struct value_model *m, struct symbol s, bits128 value);
void value_model_set_byte(struct value_model *m, struct symbol array, uint64_t index, uint8_t byte);
bits128 value_model_get(const struct value_model *m, struct symbol s);
uint8_t value_model_get_byte(const struct value_model *m, struct symbol array, uint64_t index);
void value_model_clear(struct value_model *m);
void value_model_release(struct value_model *m);

/* The number that `e` is under the model. */
bits128 expr_eval(const struct value_pool *p, struct expr e, const struct value_model *m);

/* What stands for a symbol: an expression of its width, or an array. Those without an entry stay. */
struct substitution {
  struct symbol symbol;
  uint32_t by; /* id of the expression or array */
};
/* `e` with all `count` replaced at once, simplified anew. */
struct expr expr_substitute(struct value_pool *p, struct expr e, const struct substitution *by, size_t count);
