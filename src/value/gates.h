/* Circuits: gates over literals, made once and simplified, so that equal circuits are the same literals. Only for src/value.
 *
 * Gate 0 is the constant `true`. Operands come before what is made of them. Words are arrays of literals from the lowest bit up.  */
#pragma once
#include "base/hash.h"
#include "base/vec.h"
#include "value/bits.h"

struct lit {
  uint32_t code; /* twice the gate, plus 1 if it is inverted */
};
#define LIT_TRUE  ((struct lit){0})
#define LIT_FALSE ((struct lit){1})

static inline struct lit lit_not(struct lit a) { return (struct lit){a.code ^ 1}; }
static inline bool lit_equal(struct lit a, struct lit b) { return a.code == b.code; }
static inline bool lit_is_constant(struct lit a) { return a.code <= 1; }
static inline struct lit lit_of(bool b) { return b ? LIT_TRUE : LIT_FALSE; }

enum gate_kind {
  GATE_TRUE,
  GATE_INPUT, /* args: whose (a number of its maker's) and which bit */
  GATE_AND,
  GATE_XOR,
  GATE_ITE, /* args[0] ? args[1] : args[2] */
  GATE_XOR3,
  GATE_MAJORITY
};

/* How many operands a gate has, and what makes it one, as clauses: of 1, its own literal, and 2, 3, 4, its operands'; negative: inverted. A
 * clause ends with a 0, or has GATE_LITERALS; behind the last one is an empty one. */
enum { GATE_LITERALS = 4 };
extern const uint8_t gate_operands[7];
extern const int8_t gate_clauses[7][9][GATE_LITERALS];

struct gate {
  enum gate_kind kind;
  uint32_t args[3]; /* literals' codes */
};

struct gates {
  VEC(struct gate) list;
  struct hashmap of; /* hash of a gate to the newest of that hash + 1; others by `before` */
  VEC(uint32_t) before;
};

void gates_init(struct gates *g);
void gates_release(struct gates *g);

struct lit gate_input(struct gates *g, uint32_t whose, uint32_t bit);
struct lit gate_and(struct gates *g, struct lit a, struct lit b);
struct lit gate_or(struct gates *g, struct lit a, struct lit b);
struct lit gate_xor(struct gates *g, struct lit a, struct lit b);
struct lit gate_ite(struct gates *g, struct lit c, struct lit a, struct lit b);
/* The sum's bit and the carry of three. */
struct lit gate_xor3(struct gates *g, struct lit a, struct lit b, struct lit c);
struct lit gate_majority(struct gates *g, struct lit a, struct lit b, struct lit c);
