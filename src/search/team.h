/* Exploration by several workers that share what they know of states (states/commons.h). */
#pragma once
#include "explore/session.h"

/* Explores to the end with options->jobs workers; the strategy is `in_common`. */
[[nodiscard]] enum err explore_together(struct session *s, struct diag *d);
