/* Exploration by several processes for strategies whose work is a queue of prefixes (the thesis, Algorithm 10): each prefix is a job
 * that any worker can do, and that yields further jobs.
 *
 * Jobs have numbers in the order in which they were found, and their results are put together in that order. So executions, findings and
 * verdict depend neither on the number of workers nor on their speed. A job depends on the jobs before it in one way: it is left out if one
 * of them has led to the same state. A worker knows the results that had been put together when it began, and what others claim at the
 * moment (claims.h); a job that turns out to be superfluous when results are put together counts as left out, too.
 *
 * Workers get blocks of jobs, and say what came of each as it is done; they can be killed at any time. */
#pragma once
#include "explore/session.h"

/* Explores to the end with options->jobs workers. */
[[nodiscard]] enum err explore_prefixes(struct session *s, struct diag *d);
