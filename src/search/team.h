/* Exploration by several workers that have what is known of states in common (team.c). */
#pragma once
#include "explore/session.h"

/* Explores to the end with options->jobs workers; the strategy is `in_common`. */
[[nodiscard]] enum err explore_together(struct session *s, struct diag *d);
