/* The explorer: runs a machine under a strategy until everything is explored or a limit is hit, alone or with several workers, and collects
 * what it finds. */
#pragma once
#include "explore/explore.h"

/* Explores from the machine's initial state. `*r` must be zeroed and is the caller's to release, also on error: ERR_UNSUPPORTED (every
 * execution needs what the machine lacks, so that nothing can be said), ERR_DIVERGED (it does not repeat itself). */
[[nodiscard]] enum err explore(struct machine *m, const struct explore_options *options, struct explore_result *r, struct diag *d);
