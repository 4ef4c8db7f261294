/* Candidates: the questions about a trace that are worth asking its causal model, as a look at each thread alone does not exclude them.
 *
 * A trace is taken in windows, one behind the other. Candidates are
 *   - pairs of accesses by different threads that overlap, of which one writes or frees and one is plain, which no lock that both hold
 * keeps apart (lockset.h), and no fork or join orders;
 *   - uses of memory by one thread before another one frees it;
 *   - locks: could threads that hold some and wait for others form a circle at all? */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/vec.h"
#include "trace/event.h"

/* Indices into the trace, first < second. */
struct candidate_pair {
  uint32_t first, second;
  bool races, frees; /* they may race; `second` frees what `first` uses */
  uint32_t one, two; /* `accesses` that the pair is of: with `all`, the first ones of each set of such accesses */
};

/* One of several accesses that are alike. */
struct candidate_alike {
  uint32_t event, next;
};

struct candidate_access {
  uint32_t event, thread, site;
  uint32_t next;            /* of its granule */
  uint32_t alike, last;     /* with `all`: those that are alike, this one included: first and last one */
  uint32_t row;             /* its thread's clock */
  uint64_t exclusive, held; /* locks: held so that nobody else can; in any way */
  uint64_t low, high;       /* the bytes [low, high) */
  bool writes, atomic, frees;
};

/* Zeroed is ready for use. */
struct candidates {
  /* Given by the caller. All accesses are there: those that are alike (of one thread, at one site, of the same bytes, under the same locks,
   * and with the same forks and joins behind it) as one, with a list. Else further ones are left out. */
  bool all;
  VEC(struct candidate_alike) alikes;
  VEC(struct candidate_pair) pairs; /* of the last window */
  bool circle;                      /* locks of the last window may be waited for in a circle */
  uint64_t left_out;                /* accesses that were too many to look at, since candidates_begin() */
  /* of the trace so far */
  uint32_t width;            /* entries of a clock */
  VEC(uint32_t) rows;        /* clocks of forks and joins */
  uint32_t row[THREADS_MAX]; /* of each thread, plus 1; 0: none yet */
  uint64_t exclusive[THREADS_MAX], held[THREADS_MAX];
  struct hashmap locks; /* address to bit */
  uint64_t after[64];   /* by lock held: locks that were acquired then */
  /* of the window */
  struct hashmap granules; /* to the last access */
  VEC(struct candidate_access) accesses;
  VEC(struct candidate_access) large;
  VEC(uint64_t) touched; /* granules */
};

/* Begins a trace of `n` events. */
void candidates_begin(struct candidates *c, const struct event *trace, uint32_t n);
/* The next window, trace[from, to): its events, and behind it events that were not executed: operations that threads wait for at `pending`
 * (`waiting` of them). */
void candidates_find(struct candidates *c, const struct event *trace, uint32_t from, uint32_t to, const struct event *pending,
                     uint32_t waiting);
/* May another thread write what the access of the last window touches, in that window? False: its value is what it is. */
bool candidates_conflict(const struct candidates *c, const struct event *access);
void candidates_release(struct candidates *c);
