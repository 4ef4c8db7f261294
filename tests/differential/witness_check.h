/* Follows a witness in the reference's machine: the independent checker of what src/causal answers. */
#pragma once
#include "causal/causal.h"
#include "witness_sim.h"

/* Do these steps execute, one after the other, with the results that the trace had? `last`: of an event of its own, the last step, which
 * must be able to return `result`; UINT32_MAX: none. `*s` is the state after them. NULL: yes, else what is wrong. */
const char *witness_check(const struct sim *x, const struct causal_step *steps, uint32_t n, uint32_t last, uint64_t result,
                          struct sim_state *s);
