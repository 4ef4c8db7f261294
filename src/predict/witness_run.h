/* Running a witness: an execution that begins as the causal model says, and goes on behind that by itself. */
#pragma once
#include "execution/run.h"

struct predict_client;

/* What comes behind a witness. Which thread goes next can make the difference: a read's new value may matter to what its thread does at
 * once, or to what it does after others did what they had done. */
enum witness_behind {
  WITNESS_BY_THREAD, /* the thread goes on that took the last step, as long as it can */
  WITNESS_BY_ORDER,  /* as far as they can, threads take the steps that they had not taken yet in the order of the original execution */
  WITNESS_OF_RACE,   /* the last two steps are accesses that race: the stores of their threads become visible; then as BY_THREAD */
};

/* Which execution: the first `fixed` steps of `original`, then `steps` (mcr_trace_steps()), then on. */
struct witness {
  const struct schedule *original, *steps;
  uint32_t fixed;
  enum witness_behind behind;
  bool to_the_end; /* on to the end, or to twice the original's length and some; else some steps only */
  /* Set by witness_run(). */
  size_t made; /* steps that were executed for it */
  bool over;   /* the exploration is to end, and the execution stands somewhere */
};

/* Makes the execution in `r`, which is finished then. Stores of the thread that goes on behind the witness become visible at
 * once, and the process ends as late as it can. False if the machine could not do what the witness says, or `over`: that is looked at on
 * the way. The state that the witness begins in is kept for the next one (run_keep()). */
bool witness_run(struct run *r, const struct predict_client *client, struct witness *w);
