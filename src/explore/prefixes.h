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
#include "explore/wire.h"

struct claims;

/* What became of a job. LOST: an earlier one had led to the same state, or it was explored knowing too much: it is to be done again by
 * a process that knows what came of those before it, and no more. */
enum prefix_fate { PREFIX_DONE, PREFIX_LOST, PREFIX_BAD };

struct prefix_list {
  VEC(struct text) jobs;
};

/* Part of the row of such a strategy. */
struct prefix_type {
  /* Makes a job the one that next() begins with; `number` 0: the first, which is empty. `claims` may be NULL: nobody else explores. */
  void (*take)(struct strategy *s, uint64_t number, struct wire *job, struct claims *claims);
  /* Between executions: is another one part of the job? */
  bool (*more)(const struct strategy *s);
  /* Writes what became of the job. */
  void (*give)(struct strategy *s, struct text *out);
  /* Reads that, in the order of numbers; appends the jobs that it yields to a list of texts. BAD: these bytes are something else. */
  enum prefix_fate (*settle)(struct strategy *s, uint64_t number, struct wire *given, struct prefix_list *out);
};

/* Explores to the end with options->jobs workers. */
[[nodiscard]] enum err explore_prefixes(struct session *s, struct diag *d);
