/* The happens-before order of the present execution's steps, kept as a stack, and the races in it that an exploration must reverse.
 *
 * A step is what one thread does between two scheduling decisions: one event, or several (an atomic section; a thread's end). Two
 * steps are dependent if two of their events are (event_dependent()), or if one of them ended the execution for everybody.
 * Happens-before is the transitive closure of program order and the order of dependent steps: its equivalence classes are the
 * Mazurkiewicz traces.
 *
 * Depth-first exploration shares prefixes, so steps are pushed and popped; nothing is computed twice for a prefix and nothing is
 * allocated once the arrays have grown.
 *
 * Invariants:
 *   1. clocks[i * width + t] is the number of steps of thread t that happen before step i or are step i.
 *   2. For each granule (8 bytes of memory) and each synchronisation object, its records form a chain, newest first. A record marked
 *      `write` is dependent with every older record of the chain that it overlaps, so a search may stop there; but for flushes, which are
 *      not dependent with what their own thread read, and for stores into a buffer, on which only ends and beginnings of lives depend.
 *
 * Store buffers (TSO, PSO): a flush happens after the store that it flushes, and a step that waits for the thread's buffer to be empty
 * after the flushes that emptied it; a flush after those for its thread that it may not overtake. None of that can be reversed, so these
 * are no races: they are the step's *enablers*. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "trace/event.h"
#include "trace/tset.h"

#define NO_STEP UINT32_MAX

struct history_step {
  uint32_t thread, choice;
  uint32_t index;    /* position among the steps of its thread, from 1 */
  uint32_t previous; /* the thread's step before, or the one that forked it (the later of both), or NO_STEP */
  uint32_t own;      /* the thread's step before, or NO_STEP */
  uint32_t first_event, first_record;
  struct tset enabled; /* before the step */
};

struct history_record {
  uint32_t step, event;
  uint32_t chain;
  uint32_t older, older_write, head_before;
  uint8_t mask; /* bytes of the granule; 0: of a wide one, not known */
  bool write;
};

struct history_chain {
  uint32_t head;    /* newest record, or NO_STEP */
  uint32_t owners;  /* of a granule: the synchronisation objects that it holds bytes of, or NO_STEP */
  uint32_t touched; /* of an object: records in the granules of its bytes */
  uint32_t remade;  /* of an object: those of them that write, behind its first operation */
  uint64_t owned;   /* of an object: end of its bytes, as far as they are known */
};

struct history_owner {
  uint32_t chain, next;
};

/* Could the later of two dependent steps have come first? MAYBE: could not be decided, and must be tried. */
enum reversal { REVERSAL_NO, REVERSAL_YES, REVERSAL_MAYBE };

struct history_candidate {
  uint32_t step;
  enum reversal reversal;
};

struct history {
  uint32_t width; /* threads that clocks have entries for */
  VEC(struct history_step) steps;
  VEC(uint32_t) clocks;
  VEC(struct event) events;
  VEC(struct history_record) records;
  uint32_t last[THREADS_MAX];   /* latest step of the thread, or NO_STEP */
  uint32_t forked[THREADS_MAX]; /* step that forked it, or NO_STEP. If it was joined and its number given again: that of the latest */
  VEC(uint32_t) forked_before;  /* for each fork on the stack: what `forked` said */
  uint32_t wide;                /* records of whole pages (large frees and copies) and of everything on the stack */
  bool buffers;                 /* there are store buffers: a flush has been pushed */
  uint32_t failed_joins;        /* joins on the stack that found their thread running */
  /* Chains by key: open addressing; chains are kept for the whole exploration. */
  uint64_t *keys;
  uint32_t *ids; /* 1 + chain; 0: free */
  uint32_t cap;
  VEC(struct history_chain) chains;
  VEC(struct history_owner) owners;
  /* Results of the last history_push() or history_blocked(); steps are listed latest first. */
  VEC(struct history_candidate) dependent; /* steps of other threads that it depends on directly */
  VEC(uint32_t) races;                     /* those of them whose order must be reversed */
  VEC(uint32_t) enablers;                  /* steps without which store buffers had not let it be taken, in any order */
  uint32_t since;                          /* the latest of those and of its thread's step before, or NO_STEP */
  VEC(uint32_t) excluded;                  /* see history_reversal() */
  VEC(uint32_t) scratch;
};

/* The step behind which the thread stands: its last one, or the one that forked it; NO_STEP: it is there from the beginning, or not yet. */
static inline uint32_t history_previous(const struct history *h, uint32_t thread) {
  uint32_t last = h->last[thread], forked = h->forked[thread];
  return last == NO_STEP || (forked != NO_STEP && forked > last) ? forked : last;
}

/* How many events step `i` made: those from its first_event on. */
static inline uint32_t history_events(const struct history *h, uint32_t i) {
  uint32_t end = i + 1 < h->steps.count ? h->steps.data[i + 1].first_event : (uint32_t)h->events.count;
  return end - h->steps.data[i].first_event;
}

void history_init(struct history *h);
void history_release(struct history *h);
/* Forgets all steps (and keeps the memory). */
void history_clear(struct history *h);

/* Appends the step that `thread` took, which made `n` events (at least one), and finds its races. `ends` says that it ended the
 * execution for everybody. */
void history_push(struct history *h, uint32_t thread, uint32_t choice, const struct event *events, uint32_t n, const struct tset *enabled,
                  bool ends);
/* Removes steps from the end until `n` are left. */
void history_pop(struct history *h, uint32_t n);
/* Finds the races of a step that could not be taken, because the execution ended with its thread blocked in `pending`. */
void history_blocked(struct history *h, const struct event *pending);
/* A step that has to wait says that its thread could have been interrupted before: that did not wait for what the step waited for, so it is
 * for history_blocked() before the step is entered. NULL: it could not. */
const struct event *history_look(const struct event *events, uint32_t n);

/* Something that a thread does behind the present end, or is blocked in there; steps that may lie in between are not known. */
struct history_below {
  const struct event *event; /* NULL: it ends the execution for everybody */
  uint32_t root;             /* the thread, or, if that is not made yet, the one that makes it or who makes it */
  uint64_t after;            /* threads (below 64) that are joined before */
  bool waits;                /* its step may have to wait */
  uint32_t issue;            /* of a flush: history_unflushed(): then the root is its agent; NO_STEP: it is the store's thread */
  uint32_t from;             /* races with steps before this one are not wanted */
};

/* The step that issued the oldest store to the bytes of `flush` which is in its thread's buffer at the present end; or NO_STEP. */
uint32_t history_unflushed(const struct history *h, const struct event *flush);
/* Finds its races: more than the real ones, as what lies in between may order them. Its enablers are steps that come before it for
 * certain. */
void history_find_below(struct history *h, const struct history_below *b);
/* True if history_find_below() would find no races of `x`, with these `after` and `from`, whatever clocks say. False: perhaps. Quick. */
bool history_untouched(const struct history *h, const struct event *x, uint64_t after, uint32_t from);
/* Of a step `x` behind the present end that may have to wait: could it have come before `earlier`, whatever is in between? */
enum reversal history_reversal_below(const struct event *earlier, const struct event *x);
/* Operations that the machine may refuse in some states. */
bool history_may_wait(const struct event *x);

/* The step that began the atomic section which `step` goes on with; or `step`. */
uint32_t history_section(const struct history *h, uint32_t step);

/* Does step `a` happen before step `b`, or is it b? */
static inline bool history_before(const struct history *h, uint32_t a, uint32_t b) {
  const struct history_step *s = &h->steps.data[a];
  return h->clocks.data[(size_t)b * h->width + s->thread] >= s->index;
}

/* Could `later` (the first event of step `n` or a blocked pending event; its thread stands before it since step `previous`) have been taken
 * without step `d` and what happens after d, and why not: blocked by a lock, by a missing signal. Leaves in `excluded` the steps after d
 * that must be left out as well to make it possible: sections of the lock that would not be over. */
enum reversal history_reversal(struct history *h, uint32_t d, const struct event *earlier, const struct event *later, uint32_t previous,
                               bool blocked);

/* Are two executed steps dependent? */
bool history_dependent(const struct event *a, uint32_t na, const struct event *b, uint32_t nb);
/* Must a sleeping step be woken, because a dependent one was executed? As history_dependent(), but the sleeping step would come behind the
 * executed one: of a barrier's arrivals, those of a round commute; once it is complete, the sleeping one would be in the next. */
bool history_wakes(const struct event *sleeping, uint32_t ns, const struct event *executed, uint32_t ne);
