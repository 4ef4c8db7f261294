/* Running a witness: an execution that begins as the causal model says, and goes on behind that by itself. */
#pragma once
#include "explore/run.h"

/* What comes behind a witness. Which thread goes next can make the difference: a read's new value may matter to what its thread does at
 * once, or to what it does after others did what they had done. */
enum witness_behind {
  WITNESS_BY_THREAD, /* the thread goes on that took the last step, as long as it can */
  WITNESS_BY_ORDER,  /* as far as they can, threads take the steps that they had not taken yet in the order of the original execution */
};

/* Runs the first `fixed` steps of `original`, then `witness` (mcr_trace_steps()), then on to the end, or to twice the original's length and
 * some; `*r` is finished then. Stores become visible at once behind the witness, and the process ends as late as it can. False if the
 * machine could not do what the witness says. */
bool witness_run(struct run *r, const struct schedule *original, uint32_t fixed, const struct schedule *witness,
                 enum witness_behind behind);
