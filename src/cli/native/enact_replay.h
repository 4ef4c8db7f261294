/* heddle replay of a witness: the program is made to do what the witness says, in the machine if that comes to the finding, else natively.
 */
#pragma once
#include "cli/options.h"

/* Does the file begin like a witness? */
bool enact_replay_is(const char *path);
/* Appends what it is of, and its steps by their places. */
[[nodiscard]] enum err enact_replay_show(const char *path, struct text *out, struct diag *d);
/* Returns the exit code. */
int enact_replay(const struct options *o);
