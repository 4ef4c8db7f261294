/* Strategies: traces in, prefixes out (check.md, "The loop that all strategies share").
 *
 * The explorer owns the machine. For each execution it asks the strategy for a prefix, follows it, and then, step by step, asks which
 * thread goes next, until the execution ends or the strategy gives it up as redundant. Then the strategy sees the whole trace.
 * A strategy never touches the machine; it sees a view of the state before each step. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "trace/event.h"
#include "trace/schedule.h"
#include "trace/tset.h"

/* The state before a step. Valid during the call. */
struct strategy_view {
  uint32_t depth;      /* steps taken so far */
  struct tset enabled; /* never empty */
  struct tset alive;
  const struct event *const *pending; /* by tid, of live threads */
  const uint32_t *alternatives;       /* by tid, of enabled threads */
  const struct event *trace;          /* events so far */
  uint32_t ntrace;
};

/* How an execution went on. */
enum execution_end { EXECUTION_COMPLETE, EXECUTION_FAILED, EXECUTION_ASSUMED, EXECUTION_BLOCKED, EXECUTION_LIMIT };

struct strategy_options {
  uint64_t seed;       /* random, pct */
  uint32_t bound;      /* icb: largest number of preemptions to try; UINT32_MAX: all */
  uint32_t pct_depth;  /* pct: bug depth d */
  uint64_t executions; /* random, pct: how many executions to make; 0: no end */
};

struct strategy;

/* One row of the table of strategies. */
struct strategy_type {
  const char *name;
  const char *summary;
  bool exhaustive; /* an ended exploration covers everything */
  struct strategy *(*create)(const struct strategy_options *options);
  void (*destroy)(struct strategy *s);
  /* Forget everything: the exploration starts again (more memory turned out to be shared). */
  void (*restart)(struct strategy *s);
  /* The next execution's prefix (owned by the strategy until the next call), or NULL when nothing is left. */
  const struct schedule *(*next)(struct strategy *s);
  /* The step to take. Called for the steps of the prefix too, which the strategy must then return as they are; false: give this
   * execution up (redundant). The prefix's choices must be enabled; if one is not, the explorer reports divergence. */
  bool (*pick)(struct strategy *s, const struct strategy_view *view, struct step *step);
  /* The execution is over; `trace` has all events and `steps` all steps. `end` is how; redundant ones are reported with given_up = true. */
  void (*done)(struct strategy *s, const struct event *trace, uint32_t ntrace, const struct schedule *steps, enum execution_end end,
               bool given_up);
  /* True if something was cut by a bound of the strategy's own (icb's bound): the verdict is then BOUNDED. */
  bool (*bounded)(const struct strategy *s);
};

extern const struct strategy_type strategy_naive, strategy_random, strategy_pct, strategy_icb, strategy_dpor;

/* All of them, in the order of --help; NULL-terminated. */
extern const struct strategy_type *const strategies[];
const struct strategy_type *strategy_find(const char *name);
