/* An order of a recorded run's steps, found by making orders: those without a preemption first, then those with one, and so on. CLAP
 * (Huang, Zhang, Dolby, PLDI 2013), section 4.3.
 *
 * The paper makes whole schedules, and then has each checked by a solver. Here an order is checked while it is made: each read finds a
 * number, so a condition of the log is known to hold or not as soon as its last read is done, and an order that has failed is not gone on
 * with. States that were gone on from with as many preemptions left are not gone on from again.
 *
 * The rules of an order are those of formula.h; addresses are what was assumed of them when the threads were executed apart. Accesses of
 * different sizes to the same memory are allowed under SC and TSO. A preemption is a change of threads where the one before could have
 * gone on; that a store leaves its buffer is none. So what is found has the fewest preemptions of all orders. */
#pragma once
#include "base/err.h"
#include "reproduce/formula.h"

struct generate_counts {
  uint64_t schedules;   /* orders that were begun, and came to an end or failed */
  uint64_t good;        /* of these: each thread went as its log says */
  uint64_t steps;       /* made, in all of them */
  uint32_t preemptions; /* that orders had at most */
  double worst;         /* orders of all steps, if nothing but each thread's own order is kept: decimal logarithm */
};

/* Processes, `workers` of them, share the work; each takes some of the ways to make the first preemption. ERR_NONE: `solution` has the
 * fewest preemptions; if not even `solution->fits`, it is one with other addresses than were assumed (formula_solve()). ERR_UNSUPPORTED:
 * there is none, or none was found in so many `steps` (0: without limit) or before the deadline (base/deadline.h), and why. */
[[nodiscard]] enum err generate_solve(const struct apart *a, enum machine_memory memory, uint32_t workers, uint64_t steps,
                                      struct solution *solution, struct generate_counts *counts, struct diag *d);
