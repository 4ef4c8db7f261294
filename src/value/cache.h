/* What is known of sets of conditions. Only for src/value.
 *
 * Sets are sorted ids, each once, none of a constant. A set with an answer is found by itself; one that is impossible by any set that
 * includes it, under its highest id; one with a model by any part of it, under each of its ids. Of the sets under an id only the
 * newest are looked at. */
#pragma once
#include "value/conjuncts.h"
#include "value/solver.h"

#define CACHE_NONE UINT32_MAX

struct cache_set {
  size_t first, count; /* in `members` */
  enum value_answer answer;
  uint32_t model;  /* VALUE_YES: index */
  uint64_t work;   /* VALUE_UNKNOWN: with so much */
  uint32_t before; /* with the same hash */
};

struct cache_link {
  uint32_t set, before;
};

struct cache {
  VEC(struct cache_set) sets;
  VEC(uint32_t) members;
  VEC(struct cache_link) links;
  struct hashmap by_hash;            /* the newest set of it */
  struct hashmap impossible, models; /* id to the newest link */
  VEC(struct value_model) values;    /* models, by index */
};

struct cache_key {
  const uint32_t *ids;
  size_t count;
};

/* NULL: nothing is known of this set. Holds until the next is added. */
const struct cache_set *cache_find(const struct cache *c, struct cache_key key);
/* A part of it is known to be impossible. */
bool cache_has_impossible_part(const struct cache *c, struct cache_key key);
/* The index of a model of a set that includes it, or CACHE_NONE. */
uint32_t cache_model_of_whole(const struct cache *c, struct cache_key key);
/* The index of a copy of the model. */
uint32_t cache_add_model(struct cache *c, const struct value_model *model);
/* Sets, or replaces, what is known. `model` is CACHE_NONE but for VALUE_YES. */
void cache_add(struct cache *c, struct cache_key key, enum value_answer answer, uint32_t model, uint64_t work);
void cache_clear(struct cache *c);
void cache_release(struct cache *c);
