/* An execution as the causal model takes it, and the model's witnesses as steps of the machine. */
#pragma once
#include "base/vec.h"
#include "causal/causal.h"
#include "strategy/strategy.h"

struct mcr_trace {
  VEC(struct event) events; /* `n` that were executed, then `pending` before which live threads stand */
  VEC(uint32_t) steps;      /* by event: the step that made it; pending ones have one each */
  uint32_t n, pending;
  uint32_t prefix;                  /* events of the steps that are fixed */
  VEC(struct causal_flush) flushes; /* TSO, PSO: of stores of the prefix, there */
  bool buffers;                     /* TSO, PSO */
};

void mcr_trace_release(struct mcr_trace *t);
/* Takes the execution, whose first `fixed` steps stay as they are. `cut`: its last step ended it, so that the thread that took it stands
 * nowhere. */
void mcr_trace_take(struct mcr_trace *t, const struct execution *x, uint32_t fixed, bool cut);
/* By step of a schedule: the site of the first event that it was to make; UINT32_MAX: any. */
struct mcr_sites {
  VEC(uint32_t) sites;
};
/* Appends the witness's steps, and their sites (may be NULL). Flushes have THREADS_MAX + the thread whose store it is, and that store's
 * index instead of a choice: mcr_trace_resolve(). */
void mcr_trace_steps(const struct mcr_trace *t, const struct causal_step *witness, uint32_t n, struct schedule *out,
                     struct mcr_sites *sites);
/* Makes a step of such a list one that can be taken in the present state. False: it cannot be. */
bool mcr_trace_resolve(const struct execution *x, struct step *step);
/* Hash of what the reads of each thread returned: what the published papers take for the execution's state. */
uint64_t mcr_trace_state(const struct mcr_trace *t);
