/* Random trees of operators, and what they are worth by arithmetic that goes bit by bit: nothing here uses src/value's. */
#pragma once
#include "value/eval.h"
#include "value/expr.h"

enum { TREE_NODES = 400, TREE_SYMBOLS = 4 };

struct tree_node {
  enum expr_op op;
  unsigned width; /* 0: an array */
  unsigned low;   /* of an extract; the mode of EXPR_REAL_ROUND */
  bits128 value;  /* a constant's; a symbol's number */
  int kids[3], kid_count;
};

struct tree {
  struct tree_node nodes[TREE_NODES];
  int count;
  uint64_t random;
  bool small; /* widths up to 4, no arrays, two symbols of 1 to 4 bits: few assignments */
};

/* Each symbol number and width is a symbol of its own; array contents are a function of the seed. */
struct assignment {
  bits128 numbers[TREE_SYMBOLS];
  uint8_t bytes[4]; /* of the array at 0 to 3; 0 elsewhere */
};

uint64_t tree_random(struct tree *t, uint64_t below);
bits128 tree_number(struct tree *t, unsigned width);
/* The index of a new tree's root. */
int tree_grow(struct tree *t, unsigned width, int depth);
bits128 tree_value(const struct tree *t, int at, const struct assignment *a);

/* value_tree_real.c. Floating point, by the host's arithmetic. */
bool tree_is_real(const struct tree_node *n);
/* The node, whose width is 32 or 64, is some operator: how many operands it has, of how many bits each. */
int tree_grow_real(struct tree *t, struct tree_node *n, unsigned *of);
/* Where it is of 32 or 64 bits: one that is no rare case; else x. */
bits128 tree_some_real(struct tree *t, unsigned width, bits128 x);
bits128 tree_real_value(const struct tree_node *n, unsigned of, bits128 x, bits128 y);
uint32_t tree_build_real(const struct tree_node *n, struct value_pool *p, struct expr x, struct expr y);
/* The same by src/value's constructors, the operands from the last to the first if `backwards`. */
uint32_t tree_build(const struct tree *t, int at, struct value_pool *p, bool backwards);
