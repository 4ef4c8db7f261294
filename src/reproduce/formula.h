/* The formula of a recorded run, and its solution: an order of all threads' steps in which each does what its log says, and one of them
 * fails. CLAP (Huang, Zhang, Dolby, PLDI 2013), section 3; for TSO and PSO docs/model.md, which differs from the paper in what a thread
 * reads that has a store to the same place in its buffer.
 *
 * Rules, for steps of `apart` (threads.h):
 *   - steps of a thread are in the thread's order; a store that is buffered is visible at its flush, which comes behind the store, in the
 *     order of the buffer, and before the thread's next step that waits for the buffer;
 *   - a thread begins behind its creation, and is joined behind its end; sections of one lock do not overlap; a wait is over behind a
 * signal that nobody else has used;
 *   - each read finds the last value visible there, or the thread's own last store while that is buffered;
 *   - all that the run had done comes before the failure.
 *
 * Orders are for the engine of order/order.h. Which write each read finds are Booleans of it; values are bits of it too (value/circuit.h),
 * but only where they are needed: a solution's values are computed, step by step, and where a condition does not hold, what it says of the
 * values that it depends on is added, and the engine asked again. */
#pragma once
#include "base/err.h"
#include "machine/machine.h"
#include "order/order.h"
#include "reproduce/threads.h"
#include "strategy/planned.h"

/* A solution: an order; and, for another try, what reads find in it. Zeroed is none; released by the caller. */
struct solution {
  struct plan plan;
  struct value_model values;
  bool fits;  /* what was assumed of addresses and the like holds, too */
  bool moved; /* it fits, but some addresses are others than were assumed: what others have there may not be known */
};
void solution_release(struct solution *s);

/* Under this memory model: does the store wait in its thread's buffer? Does the step wait until that is empty? */
bool formula_buffers(enum machine_memory memory, const struct apart_event *e);
bool formula_drains(enum machine_memory memory, const struct apart_event *e);

/* The step comes next in the plan; `flush`: that its store becomes visible does. */
void plan_add(struct plan *plan, const struct apart_event *e, bool flush);

/* Appends the formula as an SMT-LIB 2 script: all of it, values too, with what was assumed of addresses. It can be satisfied if and only if
 * there is a solution that fits. ERR_UNSUPPORTED: something in it cannot be said, or is false already, and why. */
[[nodiscard]] enum err formula_script(const struct apart *a, enum machine_memory memory, struct text *out, struct diag *d);

struct formula_counts {
  uint64_t events, literals, clauses, questions, values; /* of `questions` to the engine; `values`: that were given bits */
};

/* ERR_NONE: there is an order in which each thread goes as its log says; if not even `solution->fits`, with other addresses than were
 * assumed when the threads were executed apart: they have to be again, with its values (apart_again()). ERR_UNSUPPORTED: there is none, or
 * it was not found, and why. ERR_TOOL: Z3 is not there. */
[[nodiscard]] enum err formula_solve(const struct apart *a, enum machine_memory memory, enum order_kind solver, struct solution *solution,
                                     struct formula_counts *counts, struct diag *d);
