/* heddle replay --native of a schedule: the program is built again so that its threads take their turns, and runs natively as the machine's
 * execution did (enact_steps.h). A schedule of sources has them compiled and linked first, as the machine sees them: with HEDDLE_NATIVE. */
#pragma once
#include "cli/options.h"

struct session_inputs;
struct report_finding;

/* `inputs`: how the machine runs the schedule. Returns the exit code. */
int enact_schedule(const struct options *o, const struct report_finding *finding, struct session_inputs *inputs);
