/* Open nodes: those of a stack at which some thread is not in the backtrack set yet, so that backtracking points may still be missing.
 *
 * A node is entered when it is pushed. Backtrack sets only grow, so a node that turns out to have all threads in its set is left out until
 * it is popped.
 *
 * This is a set of bits in two levels, so that the next open node is found without going through the nodes between, which may be a hundred
 * thousand. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct open_nodes {
  VEC(uint64_t) words;
  VEC(uint64_t) any; /* by word: does it have bits? */
};

/* The node at `index` is new: what is known of it and of those above it is forgotten. */
void open_nodes_put(struct open_nodes *o, uint32_t index, bool open);
void open_nodes_remove(struct open_nodes *o, uint32_t index);
/* The first one from `index` on, of `count` nodes; `count` if there is none. */
uint32_t open_nodes_next(const struct open_nodes *o, uint32_t index, uint32_t count);
void open_nodes_release(struct open_nodes *o);
