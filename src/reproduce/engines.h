/* Both ways to an order of a recorded run's steps, side by side: by a formula (formula.h), and by making orders (generate.h). The first
 * answer is taken. CLAP (Huang, Zhang, Dolby, PLDI 2013), section 4. */
#pragma once
#include "reproduce/generate.h"

struct engines {
  bool formula, orders;   /* which; at least one */
  enum order_kind solver; /* of the formula */
  uint32_t workers;       /* processes; of both engines with one process, orders are made for a while, and then the formula is solved */
};

/* Errors as of formula_solve(). `counts`: of the orders that were made; of another process they are not known (0). */
[[nodiscard]] enum err engines_solve(const struct engines *how, const struct apart *a, enum machine_memory memory,
                                     struct solution *solution, struct generate_counts *counts, struct diag *d);
