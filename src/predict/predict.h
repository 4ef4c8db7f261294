/* Prediction: what else an execution says about its program, asked of its causal model (causal.h), before anything else is run.
 *
 * Of a finished execution the model is asked whether another order of its events has a data race, the use of memory after its free, a
 * deadlock, what a property calls an error (moments.h), or a read of another value than any thread with that past read so far. An answer
 * "yes" comes with a witness, which the machine runs and goes on behind: what that execution shows is what is reported, as if the strategy
 * had made it; what it does not show is no finding.
 *
 * 1. Executions that differ in the order of events alone have the same model, and are asked about once.
 * 2. What was found is not asked for again, and what was asked for many times in vain not any more.
 * 3. Long executions are asked about in windows (window.h): what comes before is fixed. What events of different windows show together
 *    is not asked. If not all windows can be paid for, those that can are spread over the execution.
 * 4. What it may cost is bounded, in units that do not depend on time, so that the same options give the same findings: for a question, for
 *    an execution, and in proportion to the steps of all executions made so far. What is left out for that reason is counted.
 * 5. The end of the exploration (is_over()) is looked for between questions and on the way of each execution. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct predictor;
struct run;
struct strategy_counter;

struct predictor_counts {
  uint64_t executions, passed;      /* asked about; left out for what they would have cost */
  uint64_t parted;                  /* executions that were asked about in more than one window */
  uint64_t windows, windows_passed; /* of those: looked at; left out, likewise or because the exploration was to end */
  uint64_t questions, yes, unknown, left_out;
  uint64_t confirmed, unconfirmed; /* of the answers yes: shown by an execution; not, though the model is exact */
  uint64_t nanoseconds;
};

/* `reads`: questions about what reads could return, too. `block`: executions whose predictions are a matter of their own, so that it does
 * not matter who makes other blocks (STRATEGY_BLOCK); 0: all. `window`: events of one; 0: as many as is usual. */
[[nodiscard]] struct predictor *predictor_new(bool reads, uint64_t block, uint32_t window);
/* May be NULL. */
void predictor_free(struct predictor *p);
/* Whom prediction works for. Functions get `data`. */
struct predict_client {
  struct run *run;                                /* the finished execution; witnesses are run in it, so it is another one afterwards */
  bool no_races;                                  /* do not ask for data races */
  bool (*knows_race)(void *data, uint64_t sites); /* was a race of these two sites found? (the smaller site in the upper half) */
  bool (*has_enough)(void *data);                 /* are there as many findings as were wanted? */
  bool (*is_over)(void *data);                    /* is the exploration to end? Asked every now and then */
  void (*collect)(void *data);                    /* looks at the execution of `run` that has just ended for what it shows */
  void *data;
};

/* Asks about the finished execution of `client->run`. False if a witness came to something that the machine does not have: its status says
 * so. */
[[nodiscard]] bool predict(struct predictor *p, const struct predict_client *client);
/* The exploration starts again, with the execution number `from`. Counts are zero. */
void predictor_restart(struct predictor *p, uint64_t from);
/* What is predicted from now on is a matter of its own, as at the beginning of a block. It may cost what all of an exploration may, as much
 * as a block, or nothing: then executions are passed over. */
enum predict_cost { PREDICT_MUCH, PREDICT_LITTLE, PREDICT_NOTHING };
void predictor_block(struct predictor *p, enum predict_cost cost);
/* The counts so far, which begin again. */
struct predictor_counts predictor_take_counts(struct predictor *p);

struct predictor_counts predictor_counts(const struct predictor *p);
/* Adds what another process counted. */
void predictor_add(struct predictor *p, const struct predictor_counts *counts);
/* Writes the counts with their names, at most PREDICTOR_COUNTERS, and returns how many. */
#define PREDICTOR_COUNTERS 12
unsigned predictor_counters(const struct predictor *p, struct strategy_counter *out);
