/* All executions of a machine's program under a strategy, as the set of their Mazurkiewicz traces. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "strategy/strategy.h"

struct machine;
struct run;

struct enumeration {
  struct hashmap traces; /* hash -> times seen */
  uint64_t complete, blocked;
  uint64_t limit;      /* set by enumerate() */
  uint32_t loop_bound; /* 0: none */
  enum unfolding_order order;
  uint64_t seed; /* of its random numbers */
  bool stopped;  /* there are more executions than the limit, or one without end */
  bool bounded;  /* the strategy left some out */
  /* A deadlock of some threads ended an execution for others. Which step did it depends on the order of independent steps (the acquires
   * of a cycle), so such executions are not told apart as traces are; outcomes and findings are the same. */
  bool cut_deadlock;
  uint64_t within;           /* executions with at most `most_preemptions` */
  uint32_t most_preemptions; /* only those enter `traces` */
  /* An execution had an atomic section. What one may touch counts for dependence, not what it touched: dpor may repeat traces. */
  bool sections;
  /* If `watch`: how often a thread, after the same events with the same values, did something else than before. What a thread does next
   * must not depend on anything but its own history, or reordering independent steps changes more than their order. */
  bool watch;
  uint64_t erratic;
  struct hashmap next; /* history of a thread -> what it does next */
  /* Called for each execution that is not given up; may be NULL. */
  void (*each)(const struct run *r, uint64_t trace, void *data);
  void *data;
};

/* Adds to `*x`; starts again when the machine shows more. False if the program does not repeat itself or needs what the machine lacks. */
bool enumerate(struct machine *m, const struct strategy_type *type, uint32_t bound, uint64_t limit, struct enumeration *x);

/* The same by dpor, whose work is cut into parts at random (frontier.h); parts are explored in any order, and their results arrive late,
 * or never. */
bool enumerate_parts(struct machine *m, uint64_t seed, uint64_t limit, struct enumeration *x);

void enumeration_release(struct enumeration *x);

/* Traces of `all` that are missing in `found`, those there that are unknown in `all`, and those that occurred more than once. */
struct difference {
  unsigned missing, unknown, repeated;
};
struct difference enumeration_compare(const struct enumeration *all, const struct enumeration *found);
