/* Places in the program: an instruction and the calls that led to it, as a number of 21 bits that fits a cell. The numbers are the nodes of
 * a tree that only grows: a node is an address of code, told apart by kind, below the node of the call it was reached by. So a report can
 * show the whole stack of an access however long ago it was. A call that is under way already leads back to that node: recursion is shown
 * once. */
#pragma once
#include "shadow.h"

enum site_kind {
  SITE_CALL, /* the return address of a call on the way */
  SITE_READ,
  SITE_WRITE,
  SITE_ATOMIC_READ,
  SITE_ATOMIC_WRITE,
  SITE_USE,  /* of a lock, a descriptor or the like by its functions: as an atomic read */
  SITE_WAIT, /* for a condition */
  SITE_NOTIFY,
  SITE_CLOSE, /* of a descriptor */
  SITE_ACTION,
  SITE_ALLOC,
  SITE_FREE,
  SITE_THREAD, /* pthread_create() */
  SITE_LOCK,
  SITE_MERGED, /* two places in a cell: access.c */
  SITE_HELD,   /* above an access: `pc` locks had been taken in its epoch (held.h) */
  SITE_INSIDE, /* above both: it was made within an action (action.h) */
};
HOT bool kind_accesses(enum site_kind kind) { return kind >= SITE_READ && kind <= SITE_FREE && kind != SITE_ALLOC; }

enum { SITE_UNKNOWN = 0 }; /* when there are too many places, or no memory */

struct site {
  uint32_t parent; /* SITE_UNKNOWN: none */
  uint32_t next;   /* in its bucket */
  uint32_t same;   /* a call that is among those above it: that one; else itself */
  uint64_t pc : 48;
  uint64_t kind : 8;
  uint64_t size : 8; /* of the access, 0 if it varies */
};

void context_start(void);
/* The number of that place, the same each time. Any thread. */
uint32_t context_site(uint32_t parent, uintptr_t pc, enum site_kind kind, unsigned size);
/* Two places in a cell: `newer` for the bytes of the mask, `older` for the others, which may be such a place itself. Hot loops over parts
 * of words can make too many combinations; then only the two newest of a cell are told apart, and others become SITE_UNKNOWN. */
uint32_t context_merged(uint32_t older, uint32_t newer, unsigned mask);
const struct site *context_at(uint32_t site);

/* Combinations asked for lately. What one is asked by has 52 bits; times an odd number, modulo 2^52, it is another such number, of which
 * the upper bits say where the answer may be, and the lower ones stand there above the answer. Any thread reads and writes an entry at
 * once. */
enum { LATELY_BITS = 15, LATELY_REST = 2 * SITE_BITS + MASK_BITS - LATELY_BITS };
extern uint64_t context_lately[1 << LATELY_BITS];
HOT uint64_t *context_asked(uint32_t older, uint32_t newer, unsigned mask, uint64_t *rest) {
  uint64_t h = ((uint64_t)older << (SITE_BITS + MASK_BITS) | (uint64_t)newer << MASK_BITS | mask) * 0x9e3779b97f4a7c15ull;
  *rest = (h & ((1ull << LATELY_REST) - 1)) << SITE_BITS;
  return &context_lately[h >> LATELY_REST & ((1 << LATELY_BITS) - 1)];
}
/* context_merged(), or SITE_UNKNOWN if it takes more to answer. */
HOT uint32_t context_merged_known(uint32_t older, uint32_t newer, unsigned mask) {
  uint64_t rest, found = __atomic_load_n(context_asked(older, newer, mask, &rest), __ATOMIC_ACQUIRE) ^ rest;
  return found >> SITE_BITS ? SITE_UNKNOWN : (uint32_t)found;
}
/* True if an access there was made within an action, or if that is not known. */
bool context_inside(uint32_t site);
/* True from then on that a thread has been within one. */
extern bool actions_seen;
/* How many there are. */
uint32_t context_count(void);
