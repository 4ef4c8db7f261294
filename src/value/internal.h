/* How expressions lie in their pool. Only for src/value. */
#pragma once
#include "base/vec.h"
#include "value/expr.h"

/* Operands: ids, a constant's four words from the lowest up, a symbol's number; second of an extract the lowest bit, of EXPR_REAL_ROUND the
 * mode. */
struct node {
  uint8_t op;    /* enum expr_op */
  uint8_t width; /* 0: an array */
  uint8_t users; /* how many are in the list of those whose youngest operand it is, at most NODE_USERS */
  uint32_t args[4];
  uint32_t symbols;               /* a set */
  uint32_t first_user, next_user; /* ids plus 1: of its own list, and the next in its youngest operand's */
  struct fingerprint hash;
};
enum { NODE_USERS = 8 };

struct symbol_entry {
  size_t thread; /* where its text begins in `names` */
  uint64_t place, count;
  unsigned width;
  uint32_t before; /* another one whose name has the same hash */
  struct fingerprint name;
};

struct node_place {
  uint32_t id_plus_1; /* 0: free */
  uint32_t tag;       /* of the node's parts */
};

struct set_entry {
  size_t first, count; /* in `members` */
};

struct value_pool {
  VEC(struct node) nodes;
  struct node_place *places; /* of nodes that are in no list: open addressing */
  size_t place_count, placed;
  VEC(struct symbol_entry) symbols;
  struct hashmap symbol_of; /* hash of a name to the newest symbol of that hash */
  VEC(char *) threads;      /* text of each distinct thread */
  VEC(struct set_entry) sets;
  VEC(struct symbol) members;
  struct hashmap set_of; /* hash of a set to the newest of that hash; others are found by `set_before` */
  VEC(uint32_t) set_before;
  struct hashmap union_of; /* two sets' ids to a set's */
};

static inline const struct node *node_at(const struct value_pool *p, uint32_t id) { return &p->nodes.data[id]; }
static inline bits128 node_value(const struct node *n) {
  return (bits128)n->args[0] | (bits128)n->args[1] << 32 | (bits128)n->args[2] << 64 | (bits128)n->args[3] << 96;
}
static inline struct expr operand(const struct value_pool *p, struct expr e, unsigned i) {
  return (struct expr){node_at(p, e.id)->args[i]};
}

static inline bool expr_is_real(enum expr_op op) { return op >= EXPR_REAL_ADD; }
/* A choice of two constants: what is done to it is done to both. */
static inline bool is_choice(const struct value_pool *p, struct expr e, bits128 *a, bits128 *b) {
  return expr_op(p, e) == EXPR_ITE && expr_is_constant(p, operand(p, e, 1), a) && expr_is_constant(p, operand(p, e, 2), b);
}
/* Of two operands that may change places: does `a` go behind `b`? */
bool goes_second(const struct value_pool *p, struct expr a, struct expr b);

/* How many of the node's arguments are ids. */
unsigned node_operands(enum expr_op op);
/* The node of these parts, as it is: not simplified. `args` has four. */
uint32_t node_make(struct value_pool *p, enum expr_op op, unsigned width, const uint32_t args[4]);
/* What a binary operator gives for two numbers. */
bits128 bits_apply(enum expr_op op, unsigned width, bits128 a, bits128 b);
/* simplify.c. Are the operands of the node, one or two, constants, or one constant and the other a choice of two? Then it is folded, in the
 * choice. */
bool node_fold(struct value_pool *p, const struct node *n, struct expr *out);
/* eval.c. The node's number where those of its operands are known; it is no symbol and no array, and reads none. */
bits128 node_apply(const struct value_pool *p, const struct node *n, const bits128 of[3]);
/* The same of floating point: what the operator of `n` gives, whose operands have `of` bits (the second may be none). */
bits128 real_bits_apply(const struct node *n, unsigned of, bits128 a, bits128 b);
/* The same operator, with its width and mode, over other operands. */
struct expr real_expr_rebuilt(struct value_pool *p, const struct node *n, struct expr a, struct expr b);
