/* Summaries: what happens below a state, as a set of operations; for explorations that do not enter a state twice (maximal.c).
 *
 * Operations and sets are interned: a set is a small number, many states share one, and each union of two is made once. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/vec.h"
#include "trace/event.h"
#include "trace/tset.h"

/* What a thread did or would do, as far as it matters to dependence. */
struct operation {
  struct event event;
  bool waits;     /* its step may have to wait */
  bool ends;      /* it ended the execution for everybody: `event` has the thread alone */
  uint64_t after; /* threads below 64 that were joined before it: all that they do comes before */
};

/* Operations as a bit set: zero words may be missing at the end. */
struct operation_bits {
  VEC(uint64_t) words;
};

struct operation_relations {
  struct operation_bits dependent; /* operations that depend on this one, */
  uint32_t known;                  /* of the first so many */
};

struct summary_set {
  size_t first; /* in words */
  uint32_t words;
};

/* Zeroed is ready for use; summary 0 is the empty one. */
struct summaries {
  VEC(struct operation) operations;
  struct hashmap operation_ids, sets_by_hash, unions, moves;
  VEC(struct summary_set) sets;
  VEC(uint64_t) words;                     /* of all sets: bit sets of operations, without zero words at the end */
  VEC(uint32_t) single;                    /* by operation: the set of it alone */
  VEC(struct operation_relations) related; /* by operation */
  VEC(struct operation_bits) by_thread;    /* its operations; a flush is the store's thread's */
  struct operation_bits ends;              /* those that end the execution for everybody */
  struct operation_bits flushes;
  struct hashmap meetings; /* summary_meets(): index into met */
  VEC(struct tset) met;
  VEC(uint64_t) scratch;
  VEC(uint32_t) moved; /* in a sweep, by set: what it is called from then on */
};

/* Operations are the same if their keys are. */
uint64_t operation_key(const struct operation *o);
/* The number of an operation, from 0, which is entered if it is new. */
uint32_t summary_operation(struct summaries *s, const struct operation *o);
/* The set of the operations whose bits are set in `n` words: operation i is bit i % 64 of word i / 64. */
uint32_t summary_of_operations(struct summaries *s, const uint64_t *words, size_t n);
/* The set of a step's events. */
uint32_t summary_of_step(struct summaries *s, const struct event *events, uint32_t n, bool ends);
/* What `set`, which happens behind a step with these events, is before that step: the joins among them count. */
uint32_t summary_before(struct summaries *s, uint32_t set, const struct event *events, uint32_t n);
/* `set` without what a thread does. */
uint32_t summary_without(struct summaries *s, uint32_t set, uint32_t thread);
/* The set of what is in either. */
uint32_t summary_union(struct summaries *s, uint32_t a, uint32_t b);
/* Members: `for (i = summary_next(s, set, 0); i != UINT32_MAX; i = summary_next(s, set, i + 1))`, indices into operations. */
uint32_t summary_next(const struct summaries *s, uint32_t set, uint32_t from);
/* The thread that takes it, or whose store it flushes. */
static inline uint32_t operation_thread(const struct operation *o) {
  return o->event.op == EVENT_FLUSH ? flush_thread(&o->event) : o->event.thread;
}

/* Adds to `to`: the operations that depend on one of `set`; those of a thread; those that end the execution for everybody. */
void summary_add_dependent(struct summaries *s, uint32_t set, struct operation_bits *to);
void summary_add_thread(const struct summaries *s, uint32_t thread, struct operation_bits *to);
void summary_add_ends(const struct summaries *s, struct operation_bits *to);
void operation_bits_and(struct operation_bits *to, const struct operation_bits *with);
/* A step by `thread`, or of a store of its, whose own summary is `made` comes right before what `set` says: the threads of which operations
 * in it, but for flushes, race with that step, unless what is in between orders them. Valid until the next call. */
const struct tset *summary_meets(struct summaries *s, uint32_t set, uint32_t made, uint32_t thread);
/* As summary_next(): those that `filter` has, too. */
uint32_t summary_next_of(const struct summaries *s, uint32_t set, uint32_t from, const struct operation_bits *filter);
/* Bytes that the sets take, and what is remembered of them. */
size_t summaries_size(const struct summaries *s);
/* Throws out the sets that nobody needs. `each` calls `visit` for every variable of the owner's that holds one: they are renamed. */
typedef void summaries_visit(struct summaries *s, uint32_t *set);
void summaries_sweep(struct summaries *s, void (*each)(void *owner, summaries_visit *visit), void *owner);
void summaries_clear(struct summaries *s);
void summaries_release(struct summaries *s);
