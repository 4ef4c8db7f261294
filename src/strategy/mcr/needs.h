/* Which reads an execution's events depend on (docs/model.md, Dependency), as the causal model takes it; and how much of the model a
 * question takes up, as the papers count it. */
#pragma once
#include "base/hash.h"
#include "base/vec.h"
#include "machine/interpret/depend.h"
#include "strategy/mcr/trace.h"
#include "strategy/strategy.h"

struct mcr_needs {
  struct depend depend;
  VEC(uint32_t) starts, reads, value_starts, values;
  VEC(uint32_t) positions; /* by event of the machine's trace: in struct mcr_trace */
  struct causal_needs needs;
  /* Of the static setting: sets of nodes of the image's graph, a row of `words` for each node that was asked for. */
  struct hashmap rows;
  VEC(uint64_t) sets;
  uint32_t words;
  VEC(uint32_t) stack;
  VEC(uint32_t) before; /* by event, of reads: the thread's read before it */
  VEC(bool) given;      /* by event: in the list of an event that no buffer holds back */
  /* For counting. */
  VEC(uint32_t) previous;               /* by event: the one of its thread before it, or the FORK of its thread */
  VEC(uint32_t) source_starts, sources; /* by read */
  VEC(uint32_t) work;
  VEC(uint64_t) stamps; /* by event: of the last question that reached it; that kept it */
  uint64_t stamp;
};

void mcr_needs_release(struct mcr_needs *n);
/* What the events depend on under this setting; valid until the next call. NULL: all earlier reads, be it that no more is known. */
const struct causal_needs *mcr_needs_take(struct mcr_needs *n, const struct mcr_trace *t, const struct execution *x,
                                          enum dependency dependency, bool loose);
/* Before questions are counted. */
void mcr_needs_begin(struct mcr_needs *n, const struct mcr_trace *t);
/* The thesis's counts (section 4.4.3) for a question, whether the event `target` can return `value`: the reads, this one among them, whose
 * values have to be what they are, behind the prefix; and the pairs of such a read and a write that could give it its value. Added to
 * `*reads` and `*pairs`. */
void mcr_needs_count(struct mcr_needs *n, const struct mcr_trace *t, const struct causal_needs *needs, uint32_t target, uint64_t value,
                     uint64_t *reads, uint64_t *pairs);
