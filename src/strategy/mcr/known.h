/* Prefixes that are known: their questions were asked before, below another order of their steps or after other values.
 *
 * Two prefixes that lead to the same state go on in the same way, and the same questions are asked behind both: what is below the second
 * one repeats what is below the first. Which states are the same depends on the strategy:
 *   - mcr, se-mcr: all reads of all threads returned the same (the thesis, Definition 3.1.2), and the same thread is to go on;
 *   - mcr-s, mcr-s+: the same can follow. A read counts only if something that is still to come depends on it.
 * In both cases the machine's state, the output and the counted turns of loops are the same.
 *
 * A prefix is looked up before its last step, so that a known one does not take that step; and once more behind it, unless it matters
 * which thread took it. */
#pragma once
#include "base/hash.h"
#include "strategy/strategy.h"

struct claims;

struct mcr_known {
  struct hashmap prefixes; /* key -> the number of the execution that had it */
  uint64_t present[2];     /* the present execution's, before and behind its last step; 0: not looked up */
  uint64_t number;         /* the present one's, if several processes explore: it knows those with smaller ones alone; else 0 */
  struct claims *claims;   /* what others explore; NULL: nothing */
};

void mcr_known_release(struct mcr_known *k);
void mcr_known_clear(struct mcr_known *k);
/* A new execution. */
void mcr_known_begin(struct mcr_known *k);
/* `last`: the prefix's last step comes next; NULL: it was taken. `reads`: what the reads returned counts. True: it is known. */
bool mcr_known_find(struct mcr_known *k, const struct execution *x, const struct step *last, bool reads);
/* What can follow the present execution's prefix is being explored; mcr_known_claim(): will be, most likely. */
void mcr_known_add(struct mcr_known *k);
void mcr_known_claim(struct mcr_known *k);
/* Did an execution with a smaller number have the key? */
bool mcr_known_has(const struct mcr_known *k, uint64_t key, uint64_t number);
