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
  SITE_MERGED, /* several places in a cell: the lower 8 bits of `pc` have the bytes of the one above them, the parent has the others */
  SITE_HELD,   /* above an access: `pc` locks had been taken in its epoch (held.h) */
  SITE_INSIDE, /* above both: it was made within an action (action.h) */
  SITE_AMONG,  /* one of several places: `pc`, or those of the parent */
  SITE_NEAR,   /* somewhere in a function: all of its accesses of the kind `pc`, by the calls above */
};
HOT bool kind_writes(enum site_kind k) { return k == SITE_WRITE || k == SITE_ATOMIC_WRITE || k == SITE_FREE; }
HOT bool kind_accesses(enum site_kind kind) { return kind >= SITE_READ && kind <= SITE_FREE && kind != SITE_ALLOC; }

enum { SITE_UNKNOWN = 0 }; /* when there are too many places, or no memory */

struct site {
  uint64_t pc : 48;
  uint64_t kind : 8;
  uint64_t size : 8; /* of the access, 0 if it varies */
  uint32_t parent;   /* SITE_UNKNOWN: none */
  uint32_t below;    /* of a call: its context; of several places: the next in their bucket; of one: its SITE_NEAR, or 0 */
};

/* A call in its context: its node, and what was asked for below it, which are places in the function that was called, and calls that it
 * makes. A function asks for its places one after the other each time that it is called in a context, so they lie side by side: two here,
 * the others in lines of the cache, each in the one that its hash says, or in the next one if that is full. Lines are filled from the
 * front. Who looks for something takes no lock. If there are too few lines, their contents go to others, and the old ones may become
 * another context's: what was found in a line counts if the lines are still the context's then. */
enum { CONTEXT_UNKNOWN = 0, CONTEXT_NONE = 1 /* a thread's own function has no caller */ };
enum { FOUND_FEW = 2, FOUND_LINE = 5, LINES_SIZE_BITS = 5 };
struct context {
  uint64_t what[FOUND_FEW];  /* site_what(), or 0 */
  uint32_t found[FOUND_FEW]; /* the place's number, or the context's */
  uint32_t site;             /* its own node, or SITE_UNKNOWN */
  uint32_t lines;            /* the first one's number, and how many there are (lines_many()); 0: none */
};
struct context_line {
  uint64_t what[FOUND_LINE];
  uint32_t found[FOUND_LINE], next; /* next: of lines that nobody has */
};
_Static_assert(sizeof(struct context) == 32 && sizeof(struct context_line) == 64, "lines of the cache");
extern struct context *contexts;
extern struct context_line *context_lines;

/* What a place is asked for by, in its context: never 0. `taken`: locks, in its epoch. Places within actions are others. */
enum { WHAT_KIND = 4, WHAT_SIZE = 8, WHAT_PC = 16 };
#define WHAT_INSIDE (1ull << 63) /* addresses have 47 bits */
HOT uint64_t site_what(uint64_t pc, enum site_kind kind, unsigned size, unsigned taken) {
  return pc << WHAT_PC | (uint64_t)size << WHAT_SIZE | (uint64_t)kind << WHAT_KIND | taken;
}
HOT uint64_t call_what(uint64_t pc) { return site_what(pc, SITE_CALL, 1, 0); }

HOT struct context_line *lines_first(uint32_t lines) { return &context_lines[lines >> LINES_SIZE_BITS]; }
/* 1, 1, 2, 3, 4, 6, 8, 12, ... */
HOT uint32_t lines_many(uint32_t lines) { return (2 + (lines & 1)) << (lines >> 1 & ((1u << (LINES_SIZE_BITS - 1)) - 1)) >> 1; }
HOT uint32_t lines_where(uint32_t many, uint64_t what) {
  return (uint32_t)(((what ^ what >> 29) * 0x9e3779b97f4a7c15ull >> 32) * many >> 32);
}
HOT uint32_t found_in_line(const struct context_line *l, uint64_t what) {
#pragma GCC unroll 5
  for (unsigned i = 0; i < FOUND_LINE; i++)
    if (__atomic_load_n(&l->what[i], __ATOMIC_ACQUIRE) == what) return __atomic_load_n(&l->found[i], __ATOMIC_ACQUIRE);
  return 0;
}
/* Its number, if it has been asked for in the context; else 0, or if it is just being asked for. */
HOT uint32_t context_known(uint32_t context, uint64_t what) {
  const struct context *c = &contexts[context];
  for (unsigned i = 0; i < FOUND_FEW; i++)
    if (__atomic_load_n(&c->what[i], __ATOMIC_ACQUIRE) == what) return c->found[i];
  uint32_t lines = __atomic_load_n(&c->lines, __ATOMIC_ACQUIRE);
  if (!lines) return 0;
  const struct context_line *first = lines_first(lines);
  uint32_t many = lines_many(lines), at = lines_where(many, what);
  uint32_t found = found_in_line(&first[at], what);
  if (!found && many > 1) found = found_in_line(&first[at + 1 < many ? at + 1 : 0], what);
  return LIKELY(__atomic_load_n(&c->lines, __ATOMIC_RELAXED) == lines) ? found : 0;
}
/* Its number, the same each time; 0 (SITE_UNKNOWN, CONTEXT_UNKNOWN) if there are too many. Any thread. */
uint32_t context_add(uint32_t context, uint64_t what);
HOT uint32_t context_found(uint32_t context, uint64_t what) {
  uint32_t known = context_known(context, what);
  return LIKELY(known) ? known : context_add(context, what);
}

void context_start(void);
void context_before_fork(void);
void context_after_fork(void);
/* Several places in a cell: `newer` for the bytes of the mask, `older` for those of `rest`, which may have several itself. Which of them
 * came first makes no difference, nor what is hidden by now. Hot loops over parts of words can make too many combinations all the same:
 * from then on, what is kept of a cell is in which functions it was touched (SITE_AMONG, SITE_NEAR), and not at which of their
 * places, and which byte where. */
uint32_t context_merged(uint32_t older, unsigned rest, uint32_t newer, unsigned mask);
/* That of a byte, of several in a cell. */
uint32_t context_of_byte(uint32_t site, unsigned byte);
/* One of them. */
uint32_t context_one(uint32_t site);
/* Of several (SITE_AMONG) the one that writes, or that does not; all if that is more than one; SITE_UNKNOWN if not all are known. */
uint32_t context_of_kind(uint32_t site, bool writes);
/* Of one place: what it is, and a place in the code, which is just any one of the function if that is all that is known. */
enum site_kind context_kind(uint32_t site);
uintptr_t context_pc(uint32_t site);
const struct site *context_at(uint32_t site);

/* Combinations asked for lately. What one is asked by has 58 bits; times an odd number, modulo 2^58, it is another such number, of which
 * the upper bits say where the answer may be, and the lower ones stand there above the answer. Any thread reads and writes an entry at
 * once. */
enum { LATELY_BITS = 15, LATELY_REST = 2 * SITE_BITS + 2 * MASK_BITS - LATELY_BITS };
extern uint64_t context_lately[1 << LATELY_BITS];
/* True from then on that there are too many combinations. They are asked for without bytes then. */
extern bool context_coarse;
HOT uint64_t *context_asked(uint32_t older, unsigned rest, uint32_t newer, unsigned mask, uint64_t *below) {
  if (UNLIKELY(context_coarse)) rest = mask = 0;
  uint64_t asked = (uint64_t)older << (SITE_BITS + 2 * MASK_BITS) | (uint64_t)newer << 2 * MASK_BITS | rest << MASK_BITS | mask;
  uint64_t h = asked * 0x9e3779b97f4a7c15ull;
  *below = h << SITE_BITS;
  return &context_lately[h >> LATELY_REST & ((1 << LATELY_BITS) - 1)];
}
/* context_merged(), or SITE_UNKNOWN if it takes more to answer. */
HOT uint32_t context_merged_known(uint32_t older, unsigned rest, uint32_t newer, unsigned mask) {
  uint64_t below, found = __atomic_load_n(context_asked(older, rest, newer, mask, &below), __ATOMIC_ACQUIRE) ^ below;
  return found >> SITE_BITS ? SITE_UNKNOWN : (uint32_t)found;
}
/* True if an access there was made within an action, or if that is not known. */
bool context_inside(uint32_t site);
/* True from then on that a thread has been within one. */
extern bool actions_seen;
/* How many there are. */
uint32_t context_count(void);
