/* A plan: the order of all steps that matter of one execution, worked out without the program (reproduce/formula.h). The strategy
 * `constraints` makes that execution. */
#pragma once
#include "base/vec.h"
#include "trace/event.h"

struct plan_step {
  uint32_t thread;
  uint8_t op; /* of an access: READ, whatever it does; of one that only its thread's earlier stores matter to: FENCE, with an object;
                 FLUSH: the thread's oldest store (PSO: to `object`) becomes visible */
  uint64_t object, size; /* as of struct event */
};

/* What threads do besides is of no interest to others, and done when the thread comes to it. */
struct plan {
  VEC(struct plan_step) steps;
  uint32_t failing; /* the thread that then goes on until it fails */
};
