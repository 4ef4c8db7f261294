/* Values that are pointers. A block that is freed and another one that is allocated at its address later are two things, and so are
 * pointers to them, though they are the same number: a thread that read a pointer to the first one goes on as it did only where it reads
 * that again, not one to the second. So in the causal model a pointer into a block is a *name* instead: a number of 64 bits that its value
 * and the block's number make. Which block is meant is told by the moment at which the pointer was written. Parts of a name stand for parts
 * of the pointer.
 *
 * A number that only looks like an address has names, too. That costs findings and makes none: equal numbers count as different. */
#pragma once
#include "base/hash.h"
#include "trace/contents.h"

#define POINTERS_FROM 4096u        /* below are no addresses */
#define POINTERS_TO   (1ull << 47) /* nor from here on */

static inline bool pointers_may_be(uint64_t value) { return value >= POINTERS_FROM && value < POINTERS_TO; }

/* Of a pointer into the block of that number, which is not 0. A read that no write explains (those that do need no name) returns a pointer
 * like no other: `position` is its own in the run. */
static inline uint64_t pointers_name(unsigned op, uint64_t value, uint64_t block, uint64_t position) {
  uint64_t name = hash_pair(value, block);
  return op == EVENT_READ ? hash_pair(name, position) : name;
}

/* Is all known, and the same? */
static inline bool pointers_same(struct contents_word a, struct contents_word b) { return a.known == b.known && a.value == b.value; }

/* What is known of `over`, else what is known of `under`. */
static inline struct contents_word pointers_over(struct contents_word over, struct contents_word under) {
  uint64_t mask = 0;
  for (unsigned i = 0; i < 8; i++) mask |= over.known >> i & 1 ? 0xffull << 8 * i : 0;
  return (struct contents_word){(over.value & mask) | (under.value & ~mask), over.known | under.known};
}
