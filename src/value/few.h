/* Conditions over one symbol of at most 8 bits: all of its values are tried. Only for src/value.
 *
 *     b == '-'   b >= '0'   table[b] == 3        a byte of a text that a program looks at
 *
 * Each expression's 256 numbers are found once, from those of its operands, and of a condition 256 bits are kept. A set of them is then
 * decided by ANDs of these. An engine would make circuits of the expressions, and clauses of these. */
#pragma once
#include "value/cache.h"
#include "value/internal.h"

enum { FEW_VALUES = 256 };

struct few_truths {
  uint64_t words[FEW_VALUES / 64]; /* bit k: it holds where the symbol is k */
};

struct few {
  struct value_pool *pool;
  struct hashmap at;                                           /* id to the index of its numbers */
  VEC(struct few_numbers { bits128 of[FEW_VALUES]; }) numbers; /* forgotten when there are too many */
  struct hashmap truths_at;                                    /* a condition's id to the index of its truths */
  VEC(struct few_truths) truths;
};

/* Can the conditions hold together? False: there are other symbols, or one of them is too large. Zeroed but for `pool` is new. Else
 * `*answer` is yes, with the symbol and the least of its values, or no. */
bool few_decide(struct few *f, struct cache_key key, enum value_answer *answer, struct symbol *symbol, bits128 *value);
void few_release(struct few *f);
