/* Why two accesses of a recorded run are no race: a smallest set of what keeps them apart.
 *
 * Of a run's causal model, *elements* can be taken away, and each time more orders of its events are possible: a section of a lock, a wait,
 * a fork, a join, a read that has to return what it returned, a lock tried in vain, a free, and all of a semaphore or a barrier. Program
 * order stays. The *core* of a pair that is no race is a set of elements with which alone it is none, and without any one of which it may
 * be one (a minimal unsatisfiable set, found by deletion). Elements that are harder to explain are tried to be taken away first. */
#pragma once
#include "base/hash.h"
#include "base/vec.h"
#include "causal/causal.h"

#define CORE_NONE UINT32_MAX

enum core_kind {
  CORE_READ,    /* it returns what it returned: `first` */
  CORE_REUSE,   /* the thread of the read `first` can tell two blocks at one address apart (reuse.h) */
  CORE_TRY,     /* a lock was tried in vain, the first time by `first`; then its sections are there, whether in the core or not */
  CORE_WAIT,    /* from `first` on, until a notification before `last` */
  CORE_OBJECT,  /* a semaphore or a barrier, of which `first` is the first operation */
  CORE_FREE,    /* uses come before it */
  CORE_SECTION, /* a lock is held from `first` to `last` (CORE_NONE: for ever) */
  CORE_JOIN,
  CORE_FORK
};

/* Positions in the trace. */
struct core_element {
  enum core_kind kind;
  uint32_t first, last;
  uint64_t object; /* the lock, condition, semaphore, barrier */
};

/* Zeroed is ready for use. */
struct core {
  VEC(struct core_element) elements; /* of the trace */
  VEC(uint32_t) left;                /* indices of elements that are kept, in the order of taking away; behind core_find(): the core's */
  uint64_t questions;
  /* used meanwhile */
  VEC(uint32_t) of, other; /* by position: elements that the event belongs to, or CORE_NONE; a wait's ends belong to a section, too */
  VEC(bool) kept;          /* by element */
  VEC(struct event) events;
  VEC(uint32_t) starts, reads, places;
  VEC(uint32_t) carried[THREADS_MAX]; /* needs of events that are left out, for the thread's next one */
  struct hashmap open;
  struct causal_needs needs;
};

/* Finds the elements of the trace; `a`, `b`: positions of the two accesses, which belong to none. */
void core_begin(struct core *x, const struct causal_trace *trace, uint32_t a, uint32_t b);
/* Makes the core. CAUSAL_NO if there is one; else what the model says of the pair as it is. `c`: a causal model that is used for that,
 * which gets other traces; at most `most` questions (0: any number): then the set is a core, but for being the smallest. */
enum causal_answer core_find(struct core *x, struct causal *c, const struct causal_trace *trace, uint32_t a, uint32_t b, uint64_t most);
/* The pair's answer if those elements alone are there whose `kept` is true. For tests, and used by core_find(). */
enum causal_answer core_ask(struct core *x, struct causal *c, const struct causal_trace *trace, uint32_t a, uint32_t b, const bool *kept);
void core_release(struct core *x);
