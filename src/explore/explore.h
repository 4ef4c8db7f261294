/* What an exploration is told, and what it found: options, counts, findings, outcomes, verdict. search/search.h explores. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"
#include "explore/defect.h"
#include "predict/predict.h"
#include "strategy/strategy.h"
#include "trace/finding.h"
#include "trace/schedule.h"

struct machine;
struct machine_input;

struct explore_counts {
  uint64_t executions; /* that ran to their end, failed ones included */
  uint64_t blocked;    /* given up by the strategy as redundant */
  uint64_t assumed;    /* ended by a false assumption */
  uint64_t limited;    /* ended by a bound on steps, loops or instructions */
  uint64_t steps;      /* in all of them */
  uint32_t longest;    /* steps of the longest */
  uint32_t restarts;   /* because more memory turned out to be shared, or the strategy asked for it; the counts are those since the last */
};

struct explore_progress {
  const struct explore_counts *counts;
  double seconds, per_second; /* executions of all kinds in the last second or so */
  uint32_t depth;             /* steps of the last execution */
  uint32_t findings;
  double done; /* part explored, 0 to 1, as far as can be told; negative: unknown */
};

/* As many inputs as are worth it, where values can be sampled instead; else all. */
#define EXPLORE_INPUTS_USUAL UINT64_MAX

struct explore_options {
  const struct strategy_type *strategy;
  struct strategy_options strategy_options;
  double seconds;          /* time limit; 0: none. An interruption is deadline_interrupt(). */
  double since;            /* deadline_now() when it began to count; 0: the beginning of the exploration */
  uint64_t executions;     /* limit on executions of all kinds; 0: none */
  uint64_t inputs;         /* of programs with symbolic data: stop after so many; 0: never; EXPLORE_INPUTS_USUAL */
  uint32_t findings;       /* stop after so many findings, and leave as many defects; 0: never */
  uint32_t most;           /* so many defects are looked at closely: their schedules are made shorter; 0: all */
  uint32_t step_limit;     /* steps of one execution; 0: none */
  uint32_t loop_bound;     /* visits of a thread to each step in a loop (loops.h); 0: no bound */
  uint32_t jobs;           /* workers; more than one, and campaigns: if strategy->in_parts; workers, too, if it
                              is in_common or in_blocks */
  bool jobs_at_once;       /* in_common: nothing is explored before there are workers, however little there is */
  const char *campaign;    /* folder that what is left is kept in, to go on from there; NULL: none */
  const char *campaign_of; /* what is explored: all that a campaign of something else differs in */
  uint32_t shorten_runs;   /* executions to spend on each finding's shortening; 0: leave schedules as they are */
  uint32_t ignored;        /* kinds of findings, bits of 1 << enum finding_kind, that are counted and left out of the verdict */
  bool no_races;           /* do not look for data races */
  bool predict; /* ask the causal model of each execution what else could happen (predict.h); strategies in parts: not with jobs or a
                   campaign */
  uint32_t predict_window; /* events of a long execution that are asked about at once; 0: as many as is usual */
  bool outcomes;           /* collect outcomes */
  /* Called with each input that was explored, all that any execution was given, unless all of them ended in a false assumption. */
  void (*tested)(const struct machine_input *inputs, size_t n, void *data);
  void (*progress)(const struct explore_progress *p, void *data);
  void *progress_data;
};

/* Why a verdict is not SAFE although nothing was found. The texts are for people and JSON alike. */
#define EXPLORE_REASON_LIST(X)                                                             \
  X(TIME, "the time limit was reached")                                                    \
  X(EXECUTIONS, "the limit on executions was reached")                                     \
  X(INTERRUPTED, "the exploration was interrupted")                                        \
  X(FINDINGS, "the exploration stopped at the limit on findings")                          \
  X(BOUND, "schedules with more preemptions than the bound were left out")                 \
  X(LOOPS, "executions were cut at a bound on loops or instructions")                      \
  X(BUFFER, "executions were cut where a thread had 64 stores that nobody else saw")       \
  X(STEPS, "executions were cut at the limit on steps")                                    \
  X(REFUSED, "executions were cut where the program needs what Heddle lacks")              \
  X(IGNORED, "executions were cut at findings that are ignored")                           \
  X(LIVELOCK, "the exploration stopped where the program has schedules without end")       \
  X(OUTSIDE, "the program came to wait for signals from outside, which are not sent")      \
  X(STRATEGY, "the strategy tries some schedules only")                                    \
  X(LIMITS, "the strategy left executions out")                                            \
  X(SAMPLED, "inputs were sampled")                                                        \
  X(INPUTS, "the exploration stopped at the first input with findings")                    \
  X(MANY_INPUTS, "the limit on inputs was reached (--inputs)")                             \
  X(INPUTS_TIME, "not all inputs were explored in half of the time")                       \
  X(CALLS, "executions were cut where a thread asks for inputs without end")               \
  X(DECISIONS, "executions were cut where inputs had decided too often what happens")      \
  X(UNSOLVED, "the solver could not tell whether there are inputs that were not explored") \
  X(RACES, "data races were not looked for: an invocation is one step")                    \
  X(VACUOUS, "no execution satisfies the program's assumptions")

enum explore_reason {
#define X(name, text) EXPLORE_REASON_##name,
  EXPLORE_REASON_LIST(X)
#undef X
      EXPLORE_REASON_COUNT
};
const char *explore_reason_text(enum explore_reason reason);

enum explore_verdict { VERDICT_SAFE, VERDICT_BUG, VERDICT_BOUNDED };

struct explore_finding {
  struct finding finding;
  uint64_t key;             /* finding_key() */
  struct schedule schedule; /* steps from the initial state that show it. */
  uint32_t switches;        /* context switches in it; */
  uint32_t preemptions;     /* those of them where the thread before could have gone on, if schedules are made shorter */
  bool fewest_preemptions;  /* proved: no schedule with fewer preemptions shows it */
  bool stood_for;           /* it has no schedule of its own, as there are so many findings; one of the same defect has, if there is room */
  uint32_t place;           /* among all, before those of one defect were put together */
  uint32_t defect;          /* findings with the same number are one defect (defect.h); the first of them stands for all */
  struct defect_links links;
  /* Events by step, to carry the schedule over a restart. */
  VEC(struct event) trace;
  VEC(uint32_t) ends;
};

/* What a completed execution showed to its user. */
struct explore_outcome {
  uint64_t hash, count;
  struct text text; /* "exit 0" or the finding's kind, newline, standard output (not of a deadlock) */
};

struct explore_result {
  enum explore_verdict verdict;
  uint32_t reasons;         /* bit set of 1 << enum explore_reason */
  struct text refused;      /* EXPLORE_REASON_REFUSED: the first that was met, and where */
  VEC(const char *) limits; /* EXPLORE_REASON_LIMITS: the strategy's, static texts */
  struct explore_counts counts;
  VEC(struct strategy_counter) counters; /* the strategy's own, then prediction's, then those of inputs (machine_search()) */
  struct predictor_counts predicted;     /* zero if nothing was */
  double seconds;
  VEC(struct explore_finding) findings; /* by their defects' numbers, which are from 0 */
  uint32_t ignored[FINDING_COUNT];      /* by kind, how many others there are that were ignored */
  VEC(struct explore_outcome) outcomes; /* sorted by text */
};

void explore_result_release(struct explore_result *r);
