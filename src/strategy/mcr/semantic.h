/* The semantic execution of a trace (NCMC, section 4.3): invocations of the methods of a specification are nodes, of which those that do
 * not commute are ordered; and what is to be undone so that a read inside of one may return something else.
 *
 * Nodes are the trace's events outside of invocations (*unscoped* ones), and invocations. An edge leads from a node to a later one of its
 * thread; from a fork to its thread and from a thread's end to a join; between two unscoped accesses to one location of which one writes;
 * and between two invocations on one object that do not commute. Semantic happens-before is what these edges say together.
 *
 * We differ from the paper on the side of more edges and more questions:
 *   - which of two invocations comes first is told by the trace; if they overlap, each is taken to come before the other (there: if some of
 *     their events are ordered);
 *   - a read is asked to take the value of a write if any node that happens before the read's invocation can come behind it (there: only
 *     nodes behind the write in the write's own thread; an invocation that looks at what N others did would then be seen after none or all
 *     of them, and never between);
 *   - likewise if the node happens before something that the thread does later (there not: a thread that adds 2 and then looks for 1, which
 *     another has added before, would never look first, as to do so would have to change what its add() has read);
 *   - and if the write is of an invocation that does not commute with the read's and comes behind it (there not: what was looked at before
 *     it was changed would never be looked at afterwards). */
#pragma once
#include "base/hash.h"
#include "base/spec.h"
#include "base/vec.h"
#include "strategy/mcr/trace.h"

/* An invocation with events. */
struct semantic_invocation {
  struct spec_invocation what;
  uint32_t thread;
  uint32_t first, last; /* its events in the trace; others may be between them */
  bool ended;
};

struct mcr_semantic {
  const struct spec *spec; /* NULL: no invocations are looked at */
  VEC(struct semantic_invocation) invocations;
  VEC(uint32_t) of;     /* by event: its invocation, or UINT32_MAX */
  VEC(uint32_t) edges;  /* from, to: nodes, which are positions of events, and of invocations behind these; sorted by `to` */
  VEC(uint32_t) starts; /* by node: its first edge */
  VEC(uint8_t) before;  /* by node: it happens before the one that was asked about last, and always does */
  VEC(uint32_t) queue;
  VEC(uint32_t) late;    /* semantic_before() */
  struct hashmap called; /* (function, arguments) -> index into `results` */
  VEC(int64_t) results;
  VEC(bool) failed;
  const struct execution *x; /* that functions of the program are called in */
  uint32_t asked;            /* the invocation that `late` is of, or UINT32_MAX */
  uint32_t troubles;         /* what formulas came to, 1 << enum spec_answer */
  uint64_t ordered;          /* pairs that were found not to commute */
};

void mcr_semantic_release(struct mcr_semantic *s);
/* Takes the execution's trace, which has been taken from `x`. */
void mcr_semantic_take(struct mcr_semantic *s, const struct mcr_trace *t, const struct execution *x);
/* Is this a read of memory inside of an invocation? */
bool mcr_semantic_is_scoped(const struct mcr_semantic *s, const struct mcr_trace *t, uint32_t event);
/* Of a scoped read: by an event each, the nodes that happen before its invocation, or before what its thread does later, and need not: they
 * are not fixed, and the order of threads, forks and joins alone does not put them there. An invocation is told by its last event. Holds
 * until the next call. */
const uint32_t *mcr_semantic_before(struct mcr_semantic *s, const struct mcr_trace *t, uint32_t event, uint32_t *n);
/* Is the value written by somebody who comes behind the read's invocation, and does not commute with it? */
bool mcr_semantic_overtakes(const struct mcr_semantic *s, const struct mcr_trace *t, uint32_t event, uint64_t value);
