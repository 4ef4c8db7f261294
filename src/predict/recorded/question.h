/* A question about a window of a recorded run, by positions, so that it can be put to two models of it: the one in which memory that is
 * used again is in the way only of those that are known to have pointers to it; and the cautious one (reuse.h), where the first one's
 * answer is an order that gives memory out before it was given back. */
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
#define QUESTION_CLAIMED                                                                                                                  \
  "in this order a block is given out before the one that was at its address is freed, so it would be elsewhere; a thread that may have " \
  "kept the address of the earlier one could notice"

/* Zeroed is ready for use. */
struct cautious {
  struct recorded_model model;
  struct causal *causal;
  VEC(uint32_t) order; /* of the witness's positions */
  uint32_t steps;
  VEC(uint32_t) events; /* of an arrangement, as the model has them */
  VEC(struct causal_pair) pairs;
  bool is_made;     /* of this window */
  bool has_witness; /* of the last yes that was no doubt */
};

static inline void cautious_begin(struct cautious *c) { c->is_made = false; }
/* After a yes of `causal`, which is about `m`, to the question: is that no proof, as memory is given out in its witness before it was given
 * back, and the cautious model does not say yes, too? `window`: of `m`, as it was recorded. */
bool cautious_doubts(struct cautious *c, const struct recorded_model *m, const struct causal *causal, const struct event *window,
                     uint64_t budget, const struct question *q);
/* The same of an arrangement of `m`. */
bool cautious_doubts_order(struct cautious *c, const struct recorded_model *m, const struct causal *causal, const struct event *window,
                           uint64_t budget, const struct causal_arrangement *a);
/* The witness of that yes (recorded_model_steps()): the cautious model's, if it was asked and said yes. */
void cautious_steps(const struct cautious *c, const struct recorded_model *m, const struct causal *causal,
                    void (*put)(void *data, uint32_t position), void *data);
uint64_t cautious_effort(const struct cautious *c);
void cautious_release(struct cautious *c);
