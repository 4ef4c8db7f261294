/* What makes a circle of states a livelock.
 *
 * An execution that comes back to a state, with a step in between by every thread that could take one, could go round in that circle for
 * ever. Two threads that try a lock and step back for each other can, in step; but as soon as one of them runs alone for a while, it gets
 * both locks, so that this happens on no computer for long. (A random scheduler leaves such a circle with probability 1.) Other circles are
 * never left, whoever runs: from no state behind them does any schedule lead to an end. These are livelocks. */
#pragma once
#include "execution/run.h"

enum way_out {
  WAY_OUT,    /* a schedule leads from there to an end of the execution, whichever */
  WAY_NONE,   /* none does */
  WAY_INPUT,  /* none does with the values of inputs that are tried, and there are others */
  WAY_UNKNOWN /* there are too many states behind it, and none of those that were tried is an end */
};

/* Is there a way from the present state to an end? Then the run is as it was. False: the search was cut short, because the time is over or
 * more memory turned out to be shared; the run is another execution then. */
[[nodiscard]] bool livelock_search(struct run *r, enum way_out *way);

/* The sites of a livelock, a circle that began at event `from` and has just closed: of each thread that took part the first place in the
 * program that it came to. So a circle has the same sites, wherever it was found to close. */
void livelock_sites(const struct machine *m, uint32_t from, struct finding *f);
