/* Switch equivalence (the thesis, section 5.3, Algorithms 7 to 9): which of an execution's new prefixes an elder sibling's descendants
 * repeat.
 *
 * Two prefixes found for one execution, P and Q, end in reads p and q. If neither read is part of the other prefix, and each returns the
 * same when the rest of the other prefix comes first, then P followed by the rest of Q and Q followed by the rest of P are one execution.
 * So P is told to leave out the rest of Q. Before prefixes are put together they are extended to the end of the sections of locks that they
 * are in.
 *
 * Differences from the paper: a rest is recognised by its events with their values, whatever their order, since the engine may find another
 * one than before; what a prefix is extended by is not fixed, so that reads in it may still change. Under TSO and PSO nothing is
 * equivalent. */
#pragma once
#include "base/vec.h"
#include "strategy/mcr/trace.h"

/* A prefix that was found. */
struct mcr_found {
  uint32_t first, own, all; /* its events in `events`: `own` of the witness, then the extension */
  uint32_t read;
  uint64_t value;
  bool comparable; /* it ends in a read of memory or a choice */
  bool skipped;    /* an equivalent one is made elsewhere */
};

struct mcr_switch {
  VEC(struct mcr_found) found; /* of the present execution */
  VEC(uint32_t) events;        /* positions in its trace */
  VEC(uint32_t) rest, joint;
  VEC(uint8_t) members; /* by event: bits */
  VEC(uint64_t) skip;   /* rests that the present execution leaves out */
  VEC(uint64_t) later;  /* those of executions to be made, a stack */
  /* What was there before the trace's first write. */
  bool (*initial)(void *data, uint64_t address, uint32_t size, uint64_t *value);
  void *data;
};

void mcr_switch_release(struct mcr_switch *w);
/* A new execution; `from`: the first event of the last part of its prefix, by which it differs from the one above. */
void mcr_switch_begin(struct mcr_switch *w, const struct mcr_trace *t, uint32_t from);
/* A prefix was found: the witness, and what its last event, `read`, returns. True: it is to be left out. */
bool mcr_switch_found(struct mcr_switch *w, const struct mcr_trace *t, const struct causal_step *witness, uint32_t n, uint64_t value);
/* Puts on the stack what the i-th prefix found has to leave out. */
void mcr_switch_compare(struct mcr_switch *w, const struct mcr_trace *t, uint32_t i);
/* Takes from the stack what lies there from `from` on, for the next execution. */
void mcr_switch_take(struct mcr_switch *w, uint32_t from);
