/* The models that were of use last, and what is known to hold under each. Only for src/value. */
#pragma once
#include "value/cache.h"

enum { RECENT_MODELS = 8 };

struct recent {
  struct recent_model {
    uint32_t model;        /* of a cache */
    struct hashmap truths; /* ids of conditions to whether they hold */
    struct evaluator evaluator;
  } models[RECENT_MODELS]; /* the one that was of use last first */
  unsigned count;
  struct evaluator evaluator; /* of all others, and in pools so large that eight would take too much memory */
};

/* The model becomes the first; the last makes room. */
void recent_use(struct recent *r, uint32_t model);
/* The index of a model under which all conditions of `key` hold, or CACHE_NONE. */
uint32_t recent_find(struct recent *r, const struct cache *c, const struct value_pool *p, struct cache_key key);
/* All conditions hold under the cache's model. */
bool recent_holds_of(struct recent *r, const struct cache *c, const struct value_pool *p, uint32_t model, struct cache_key key);
/* All conditions hold under the model. */
bool recent_holds(struct recent *r, const struct value_pool *p, const struct value_model *m, struct cache_key key);
void recent_clear(struct recent *r);
void recent_release(struct recent *r);
