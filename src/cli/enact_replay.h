/* heddle replay of a witness: the program is made to do what the witness says, in the machine if that comes to the finding, else natively.
 */
#pragma once
#include "cli/options.h"

/* Does the file begin like a witness? */
bool enact_replay_is(const char *path);
/* Returns the exit code. */
int enact_replay(const struct options *o);
