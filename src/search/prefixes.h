/* Exploration by several processes for strategies whose work is a queue of prefixes (the thesis, Algorithm 10): each is a job, which
 * anybody can do, and which yields more of them.
 *
 * Jobs have numbers, in the order in which they were found, and what came of them is put together in that order. So executions, findings
 * and verdict do not depend on how many workers there are, or how fast. What a job does depends on those before it in one way: it is left
 * out if one of them had led to the same state. A worker knows what had been put together when it began, and what others claim at the
 * moment (claims.h); a job that turns out to be superfluous in the end counts as left out, too.
 *
 * Workers get blocks of jobs, and say what came of each as it is done; they can be killed at any time. */
#pragma once
#include "explore/session.h"

/* Explores to the end with options->jobs workers. */
[[nodiscard]] enum err explore_prefixes(struct session *s, struct diag *d);
