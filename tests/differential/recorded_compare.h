/* What the maximal analysis finds in a run (recorded_machine.h), as the truth has it (recorded_enumerate.h), and how the two differ. */
#pragma once
#include "recorded_enumerate.h"

/* What it finds, in windows of so many events (0: as it likes); all events are at so many sites (0: each has its own). Returns how much it
 * left undecided, or did not look at. */
uint64_t recorded_analyse(const struct run *r, uint32_t window, uint32_t sites, struct truth *x);
/* The same of what `less` leaves of the run, as thinned.h has it. `proven`: all that is not claimed; may be NULL. */
uint64_t recorded_analyse_less(const struct run *r, uint32_t window, uint32_t sites, uint64_t (*less)(struct recorded *), struct truth *x,
                               struct truth *proven);
/* Prints the differences between what can be, `x`, and what is said, `y`, and returns how many they are; `part`: `y` needs not say all. */
uint64_t recorded_compare(const struct run *r, const struct truth *x, const struct truth *y, bool part);
/* Of races and uses after frees one at each two sites is enough. */
uint64_t recorded_compare_sites(const struct run *r, const struct truth *x, const struct truth *y, uint32_t sites);
/* The run itself must be one of those that could have been. */
bool recorded_is_consistent(const struct run *r);
