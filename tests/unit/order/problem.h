/* Random problems, and answers that are obviously right. */
#pragma once
#include "order/order.h"
#include "order/record.h"

struct rng {
  uint64_t state;
};

static inline uint32_t rng_below(struct rng *r, uint32_t n) {
  r->state ^= r->state << 13, r->state ^= r->state >> 7, r->state ^= r->state << 17;
  return (uint32_t)((r->state * 0x9e3779b97f4a7c15u) >> 33) % n;
}

/* Puts random steps to an order object, which records them. */
struct problem {
  struct rng rng;
  struct order *order;
  uint32_t chains, booleans, events;
  struct order_lit vars[64];
  struct {
    uint32_t booleans, events;
  } levels[16];
  uint32_t depth;
  uint32_t shortest; /* clause */
};

void problem_start(struct problem *p, struct order *o, uint64_t seed, uint32_t chains, uint32_t events, uint32_t booleans);
struct order_lit problem_lit(struct problem *p);
void problem_clause(struct problem *p);
void problem_edge(struct problem *p);
void problem_push(struct problem *p);
void problem_pop(struct problem *p);

/* Does the record's problem, with the first `count` steps, have an answer? All linear extensions, all Booleans. If the last step is a
 * solve, only those of its assumptions that are in `only` (all if NULL). */
bool brute_force(const struct order_record *r, size_t count, const struct record_lit *only, size_t nonly);
