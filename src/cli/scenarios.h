/* heddle check --linearizable: the scenarios of an object, from small to large, each explored by itself. */
#pragma once
#include "cli/session.h"
#include "explore/explore.h"

struct report;

/* Explores until a scenario has findings, or there are no more. *result is then of that scenario, and the session's machine is for it; or
 * it has what all of them have in common: counts, reasons, no findings. What there is to say of it is in the report's claim, notes and
 * uncovered. `inputs->scenario` becomes the scenario's text, which is in *name. */
[[nodiscard]] enum err scenarios_explore(struct session *s, struct session_inputs *inputs, const struct options *o,
                                         const struct explore_options *explore_options, struct explore_result *result,
                                         struct report *report, struct text *name, struct diag *d);
/* An option that does not go with --linearizable, or that only goes with it: ERR_USAGE. */
[[nodiscard]] enum err scenarios_check_options(const struct options *o, struct diag *d);
