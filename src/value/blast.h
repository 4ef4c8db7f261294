/* Expressions as circuits: each bit of an expression is a literal. Only for src/value.
 *
 * Arrays have no bits of their own. A read goes through the stores below it: those at constant indices are a tree of choices over the
 * index's bits, the others a choice each. What reaches an array symbol is a *read*: eight inputs, one set for each symbol and index. Two
 * reads of one symbol are independent inputs here; whoever solves a circuit adds blast_consistent() of the reads that are in it. */
#pragma once
#include "value/gates.h"
#include "value/internal.h"

struct blast_read {
  uint32_t array;       /* a symbol */
  uint32_t index, byte; /* where their words begin */
  bool constant;        /* its index is */
};

struct blast {
  const struct value_pool *pool;
  struct gates gates;
  VEC(uint32_t) starts; /* by id: where its word begins, +1; 0: not made so far */
  VEC(struct lit) words;
  VEC(struct blast_read) reads;
  struct hashmap read_of;      /* symbol and index to the read */
  struct hashmap consistent;   /* two reads to a literal's code */
  VEC(uint32_t) symbol_starts; /* by symbol: where its word begins, +1 */
  VEC(uint32_t) stack;
};

void blast_init(struct blast *b, const struct value_pool *p);
void blast_release(struct blast *b);
/* The literal of a condition. False: there would have been more than `most` gates, and nothing is lost by asking again. */
bool blast_condition(struct blast *b, struct expr e, size_t most, struct lit *is);
/* Where the indices of two reads of one array are equal, their bytes are. */
struct lit blast_consistent(struct blast *b, uint32_t read, uint32_t other);

/* Whose an input is: a symbol's, or a read's. */
static inline uint32_t input_of_symbol(uint32_t symbol) { return 2 * symbol; }
static inline uint32_t input_of_read(uint32_t read) { return 2 * read + 1; }
static inline bool input_is_read(uint32_t whose) { return whose & 1; }
static inline uint32_t input_number(uint32_t whose) { return whose / 2; }
