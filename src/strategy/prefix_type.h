/* What a strategy does whose work is a queue of prefixes, so that several workers can take jobs from it (search/prefixes.h). */
#pragma once
#include "base/vec.h"
#include "base/wire.h"

struct strategy;
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
