/* What the questions of an analysis may cost in all, so that it comes to an end whatever the run is like: in the order engine's effort
 * (order.h), which is the same each time.
 *
 * Most questions cost next to nothing, and a few no budget is enough for. So a question may take a part of what is left for its window, and
 * a window a part of what is left for the run: the first hard questions get the whole budget, and the more of them there are, the less the
 * later ones get. There is always enough for those that are not hard. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct allowance {
  uint64_t budget;      /* most for one question */
  uint64_t run, window; /* what is left */
};

/* A run whose questions may cost that much each. */
void allowance_begin(struct allowance *a, uint64_t budget);
/* The next window of the run. */
void allowance_window(struct allowance *a);
/* What the next question of the window may cost; `again`: it was not decided in another window. */
uint64_t allowance_question(const struct allowance *a, bool again);
/* A question of the window has cost so much. */
void allowance_spend(struct allowance *a, uint64_t effort);
/* All windows since the last call have cost so much. */
void allowance_settle(struct allowance *a, uint64_t effort);
