/* Pairs of accesses that may race, or be a use and a free, by the sites that they are at: all pairs of a window at the same two sites are
 * one question, or a few. */
#pragma once
#include "causal/causal.h"
#include "predict/candidate.h"

/* Candidates at the same sites. */
struct rivals_group {
  uint64_t key;
  uint32_t first, last; /* of `members` */
  bool frees;           /* of use and free; else of a race */
};
struct rivals_member {
  uint32_t pair, next; /* of the candidates' pairs */
};

/* Zeroed is ready for use. */
struct rivals {
  VEC(struct rivals_group) groups; /* in the order of their first candidates */
  VEC(struct rivals_member) members;
  struct hashmap index;
  VEC(struct causal_rivals) sets; /* of a question */
  VEC(uint32_t) events, offsets;
};

/* The groups of the window's candidates. `key`: of two accesses, by their positions in the model. */
void rivals_find(struct rivals *r, const struct candidates *c, uint64_t (*key)(void *data, bool frees, uint32_t a, uint32_t b), void *data);
/* Makes the next question about the group: some of its candidates, `*member` and those behind it, which goes on behind them; RECORDED_NONE:
 * there are no more. Sets `sets` and its `events`. */
void rivals_question(struct rivals *r, const struct candidates *c, const struct rivals_group *g, uint32_t *member);
void rivals_release(struct rivals *r);
