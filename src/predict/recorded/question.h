/* A question about a window of a recorded run, by positions, so that it can be put to several models of it: a trusting one (model.h), in
 * which memory that is used again is in the way only of those that are known to have pointers to it; and where it says yes, others that
 * take less for granted: a strict one, and a careful one (reuse.h), if the witness gives memory out before it was given back. */
#pragma once
#include "predict/recorded/model.h"
#include "trace/finding.h"

/* DATA_RACE: the two accesses; USE_AFTER_FREE: the free, the use; DEADLOCK: the acquires (causal_cycle); ATOMICITY_VIOLATION: first,
 * between, last; NULL_DEREFERENCE: the branch, the read; LOST_WAKEUP: where the wait begins. */
struct question {
  enum finding_kind kind;
  uint32_t n, positions[CAUSAL_CYCLE];
};

/* UNKNOWN, too, if the model does not have one of the positions. */
enum causal_answer question_put(const struct question *q, const struct recorded_model *m, struct causal *c);

/* Why a yes of the first model alone is no proof. */
#define QUESTION_REUSES                                                                                                                   \
  "in this order a block is given out before the one that was at its address is freed, so it would be elsewhere; a thread that may have " \
  "kept the address of the earlier one could notice"
#define QUESTION_TRUSTS                                                                                                                \
  "in this order functions that are not recorded, and are called before, are given memory that holds something else than in the run, " \
  "or are called otherwise; whether they then do the same, nobody knows"

#define QUESTION_UNEXPLAINED                                                                                                             \
  "in this order a read of what nobody is known to have written comes before something that it came behind in the run, and that may be " \
  "why it returned that"
#define QUESTION_UNORDERED "in this order something is read before it was written; the run's own order is not known there"

/* Another model of the window, and its causal model. */
struct other {
  struct recorded_model model;
  struct causal *causal;
  bool is_made;
};

/* Zeroed is ready for use. */
struct cautious {
  struct other strict, careful; /* not trusting; neither that, nor sure of who knows of memory that is used again */
  const struct other *shows;    /* whose witness it is, of the last yes that was no doubt; NULL: the first model's */
  VEC(uint32_t) order;          /* of the witness's positions */
  uint32_t steps;
  VEC(uint32_t) events; /* of an arrangement, as the other model has them */
  VEC(struct causal_pair) pairs;
};

static inline void cautious_begin(struct cautious *c) { c->strict.is_made = c->careful.is_made = false; }
/* After a yes of `causal`, which is about `m`, to the question: why that is no proof, which is NULL or one of the above: the model is
 * trusting, and a strict one does not say yes; or memory is given out in its witness before it was given back, and the careful model does
 * not say yes, too; or the last witness has a read whose place is not known without what may have come before it (RECORDED_DOUBTFUL).
 * `window`: of `m`, as it was recorded. */
const char *cautious_doubts(struct cautious *c, const struct recorded_model *m, const struct causal *causal, const struct event *window,
                            uint64_t budget, const struct question *q);
/* The same of an arrangement of `m`. */
const char *cautious_doubts_order(struct cautious *c, const struct recorded_model *m, const struct causal *causal,
                                  const struct event *window, uint64_t budget, const struct causal_arrangement *a);
/* The witness of that yes (recorded_model_steps()): of the last model that said yes. */
void cautious_steps(const struct cautious *c, const struct recorded_model *m, const struct causal *causal,
                    void (*put)(void *data, uint32_t position), void *data);
uint64_t cautious_effort(const struct cautious *c);
void cautious_release(struct cautious *c);
