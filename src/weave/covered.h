/* Accesses that say nothing new: the same thread accesses the same bytes in the same block, and in between nothing can order it against
 * other threads. Whoever races with the one access races with the other.
 *
 *   x = *p;  y = *p;    the second read is covered by the first
 *   *p = x;  y = *p;    the read is covered by the write
 *   x = *p;  *p = y;    here, too: what conflicts with a read conflicts with a write of the same bytes */
#pragma once
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>

#include "base/vec.h"

struct covered_access {
  LLVMValueRef address;
  uint64_t size;
  bool written;
};
/* Zeroed: nothing yet. */
struct covered {
  VEC(struct covered_access) accesses; /* that came before */
  VEC(LLVMValueRef) rewritten;         /* reads of the block that a later write covers, the last one first */
};

/* Can the instruction order its thread against others, or let other code do so? */
bool covered_ends(LLVMValueRef i);
/* Begins a block. Writes with metadata of kind `unwatched` cover nothing. */
void covered_begin(struct covered *c, LLVMBasicBlockRef block, LLVMTargetDataRef data, unsigned unwatched);
/* True if a later write covers that read. They are asked for in the order in which they come. */
bool covered_by_later(struct covered *c, LLVMValueRef read);

/* True if an earlier access covers this one; else it is kept for later ones. */
bool covered_by_earlier(struct covered *c, LLVMValueRef address, uint64_t size, bool writes);
/* Other threads may have come in between. */
void covered_forget(struct covered *c);
void covered_release(struct covered *c);
