/* Cutoffs: events that need not be taken, because the state that they and their causes alone lead to was met before, behind fewer steps.
 *
 * McMillan 1993; Schemmel et al., CAV 2020, sections 3.8 and 4.2. docs/unfolding.md says why no state is lost.
 *
 * Invariants:
 *   1. A state is known by the machine's fingerprint and by what findings depend on in its past (states/past.h): where both are equal, the
 *      same can follow, and shows the same.
 *   2. sizes[s] is the least number of steps that state s was met behind: as that of an event with all of its causes, or the initial one.
 *   3. An event that is a cutoff stays one; another may become one. */
#pragma once
#include "happens/history.h"
#include "states/past.h"
#include "states/visited.h"
#include "strategy/strategy.h"

struct cutoff_event {
  uint32_t state; /* or NO_STATE: it could not be found */
  bool is_cutoff;
};

/* Zeroed: not wanted. */
struct cutoffs {
  bool wanted, outcomes;
  struct past past;
  struct visited states; /* key -> state */
  VEC(uint32_t) sizes;
  VEC(struct cutoff_event) events;
  VEC(struct step) causes;
  uint64_t number; /* of the events that are cutoffs */
  bool any;        /* there were some, also before a restart */
};

void cutoffs_init(struct cutoffs *c, const struct strategy_options *options);
void cutoffs_release(struct cutoffs *c);
/* Forgets states and events. What was learnt of findings stays. */
void cutoffs_clear(struct cutoffs *c);
/* The execution has taken no step. */
void cutoffs_begin(struct cutoffs *c, const struct execution *x);

enum cutoff { CUTOFF_NO, CUTOFF_YES, CUTOFF_LOST };
/* Is the last step of the history, which is that of the execution, a cutoff? Its name is `name`; `names` has 0 for those that are new, or
 * what this function makes of it. LOST: the machine stands elsewhere now, as more memory turned out to be shared or the time is over. */
enum cutoff cutoffs_judge(struct cutoffs *c, const struct execution *x, const struct history *h, struct visited *names,
                          struct fingerprint name);
