/* Maximal causality reduction on the reference's machine: the smallest explorer that needs nothing but the causal model. For straight-line
 * programs: a thread's operations are the same in every execution.
 *
 * What is below a changed read keeps its thread's results up to it, in whatever order. (Keeping the order of the prefix, too, loses
 * outcomes: RWC under TSO.) Even so a few are lost, for two reasons: a value that two writes put there is asked for once, and the answer
 * may take the write that the lost execution does not have; and what a changed read-modify-write or atomic section would write is not
 * known, so nothing that is kept can come behind it. */
#pragma once
#include "base/vec.h"
#include "causal/causal.h"
#include "witness_sim.h"

/* What reads returned, thread after thread, in executions in which every thread came to its end; as hashes. (That threads can be blocked
 * for ever is a question of its own: causal_deadlock().) */
struct outcomes {
  VEC(uint64_t) seen;  /* sorted */
  uint64_t executions; /* or states */
  bool complete;
};

/* All outcomes of the program whose threads have the operations of `program`: by the causal model, and by trying every step in every
 * state. NULL: done, else what went wrong. */
const char *explore_causal(const struct sim *program, struct causal *c, struct outcomes *out, uint64_t most);
void explore_all(const struct sim *program, struct outcomes *out, uint64_t most);
/* The hash of an outcome: what the threads' reads return. */
uint64_t outcome_of(const struct sim *program, const uint64_t (*values)[SIM_LENGTH]);
bool outcomes_have(const struct outcomes *x, uint64_t outcome);
void outcomes_release(struct outcomes *x);
