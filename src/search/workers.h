/* Exploration in parts (frontier.h): a worker is a process that is forked for one part, explores it for about a second, and ends. A
 * campaign keeps the parts that are left in a file (campaign.h). */
#pragma once
#include "explore/session.h"

/* Explores to the end with options->jobs workers, or one with a campaign. */
[[nodiscard]] enum err explore_in_parts(struct session *s, struct diag *d);
