/* The blocks of a function that may be executed again and again: those in loops, by any edges (Tarjan, "Depth-first search and linear graph
 * algorithms", 1972: strongly connected components). */
#pragma once
#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct loops_block {
  LLVMBasicBlockRef block;
  uint32_t number, low; /* in the order of the search, from 1 on; the least that is reached from it */
  unsigned next;        /* of its successors, the one to look at next */
  bool open, looped;
};
struct loops {
  VEC(struct loops_block) blocks; /* by address */
  VEC(uint32_t) way, open;
  uint32_t numbers;
};

void loops_find(struct loops *l, LLVMValueRef f);
/* A number of the block below the count of all. */
size_t loops_index(const struct loops *l, LLVMBasicBlockRef b);
/* False of blocks that were not looked at. */
bool loops_contain(const struct loops *l, LLVMBasicBlockRef b);
void loops_clear(struct loops *l);
void loops_release(struct loops *l);
