/* Control dependence: which branches decide whether a block is executed (Ferrante, Ottenstein and Warren, "The program dependence graph and
 * its use in optimization", TOPLAS 1987), from post-dominators found by the algorithm of Cooper, Harvey and Kennedy, "A simple, fast
 * dominance algorithm", on the reversed graph.
 *
 * A block that ends in `unreachable` or returns is an exit; so is, of the blocks of a loop that never ends, one. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

/* A graph of blocks 0 .. n-1, block 0 is the entry. Successors of block i: succs[first[i]] .. succs[first[i + 1] - 1]. */
struct control_graph {
  uint32_t n;
  VEC(uint32_t) first, succs;
};

struct control_pair {
  uint32_t block, branch;
};

struct control_flow {
  VEC(uint32_t) preds_first, preds;
  VEC(uint32_t) order, number; /* reverse postorder of the reversed graph; by block: place in it */
  VEC(uint32_t) dominator;     /* by block: immediate post-dominator; n: the end; UINT32_MAX: not known yet */
  VEC(uint32_t) part;          /* by block: its strongly connected part */
  VEC(bool) loops;             /* by block: it lies in a loop */
  VEC(uint32_t) stack, next;
  VEC(struct control_pair) pairs; /* the result: `block` is executed or not as `branch` goes */
};

void control_graph_release(struct control_graph *g);
void control_flow_release(struct control_flow *c);
/* Fills c->dominator, c->part, c->loops and c->pairs. A pair may be there more than once. */
void control_flow_find(struct control_flow *c, const struct control_graph *g);
