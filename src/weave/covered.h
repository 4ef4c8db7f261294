/* Accesses that say nothing new: on every way to it the same thread has accessed the same bytes, and in between nothing can order it
 * against other threads. Whoever races with the one access races with the other.
 *
 *   x = *p;  y = *p;              the second read is covered by the first
 *   *p = x;  y = *p;              the read is covered by the write
 *   x = *p;  *p = y;              here, too, if both are in one block: what conflicts with a read conflicts with a write of the same bytes
 *   *p = 1;  if (c) f();  x = *p; not covered: there is a way through f(), which may wait for others
 *
 * Which accesses have been made is found as compilers find available expressions (Aho, Lam, Sethi, Ullman, section 9.2.6). An address is
 * the same if it is the same value of LLVM, which in a loop is another one each time around. */
#pragma once
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

#include "weave/loops.h"

struct covered_access {
  LLVMValueRef address;
  uint64_t size;
  bool written;
  uint32_t next; /* of the same bucket, plus 1; 0: none */
};
/* What counts as an access. */
struct covered_kinds {
  LLVMTargetDataRef data;
  unsigned unwatched,
      tbaa; /* kinds of metadata: accesses with the one do not count, nor do those of pointers to tables of virtual functions */
};
/* Zeroed: nothing yet. Sets of accesses are bits by their numbers, `words` of 64 each. */
struct covered {
  struct covered_kinds kinds;
  VEC(struct covered_access) accesses; /* different ones of the function */
  VEC(uint32_t) buckets;
  VEC(uint64_t) sets; /* four of each block; none if the function is too large */
  VEC(uint64_t) now;
  size_t words;
  VEC(LLVMValueRef) rewritten; /* reads of the block that a later write covers, the last one first */
};

/* Can the instruction order its thread against others, or let other code do so? */
bool covered_ends(LLVMValueRef i);
/* Looks at a function, whose blocks are in `loops`. To be called before anything is woven into it. */
void covered_find(struct covered *c, LLVMValueRef f, const struct loops *loops, struct covered_kinds kinds);
/* Begins a block. */
void covered_begin(struct covered *c, const struct loops *loops, LLVMBasicBlockRef block);
/* True if a later write covers that read. They are asked for in the order in which they come. */
bool covered_by_later(struct covered *c, LLVMValueRef read);
/* True if earlier accesses cover this one; else it counts from now on. */
bool covered_by_earlier(struct covered *c, LLVMValueRef address, uint64_t size, bool writes);
/* Other threads may have come in between. */
void covered_forget(struct covered *c);
void covered_release(struct covered *c);
