/* Maximal causality reduction as published (check.md), on the reference's machine: the smallest explorer that needs nothing but the causal
 * model. For straight-line programs: a thread's operations are the same in every execution. */
#pragma once
#include "base/vec.h"
#include "causal/causal.h"
#include "witness_sim.h"

/* What an execution's reads returned, thread after thread, and what memory is like at its end; as a hash. */
struct outcomes {
  VEC(uint64_t) seen;  /* sorted */
  uint64_t executions; /* or states */
  bool complete;
};

/* All outcomes of the program whose threads have the operations of `program`: by the causal model, and by trying every step in every
 * state. NULL: done, else what went wrong. */
const char *explore_causal(const struct sim *program, struct causal *c, struct outcomes *out, uint64_t most);
void explore_all(const struct sim *program, struct outcomes *out, uint64_t most);
void outcomes_release(struct outcomes *x);
