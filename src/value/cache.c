#include "value/cache.h"

#include <string.h>

/* Of the sets under one id, and in all: each look costs as much as a set is long. */
enum { LOOK_AT = 16, LOOK_AT_ALL = 256 };

static uint64_t key_hash(struct cache_key key) { return hash_bytes(key.ids, key.count * sizeof *key.ids, 4); }

static uint32_t find(const struct cache *c, struct cache_key key, uint64_t hash) {
  const uint64_t *newest = hashmap_find(&c->by_hash, hash);
  for (uint32_t i = newest ? (uint32_t)*newest : CACHE_NONE; i != CACHE_NONE; i = c->sets.data[i].before) {
    const struct cache_set *s = &c->sets.data[i];
    if (s->count == key.count && memcmp(c->members.data + s->first, key.ids, key.count * sizeof *key.ids) == 0) return i;
  }
  return CACHE_NONE;
}

const struct cache_set *cache_find(const struct cache *c, struct cache_key key) {
  uint32_t i = find(c, key, key_hash(key));
  return i == CACHE_NONE ? NULL : &c->sets.data[i];
}

bool cache_has_impossible_part(const struct cache *c, struct cache_key key) {
  int all = 0;
  for (size_t i = key.count; i-- > 0 && all < LOOK_AT_ALL;) {
    const uint64_t *newest = hashmap_find(&c->impossible, key.ids[i]);
    uint32_t at = newest ? (uint32_t)*newest : CACHE_NONE;
    for (int looked = 0; at != CACHE_NONE && looked < LOOK_AT; looked++, all++, at = c->links.data[at].before) {
      const struct cache_set *s = &c->sets.data[c->links.data[at].set];
      if (ids_include(key.ids, i + 1, c->members.data + s->first, s->count)) return true;
    }
  }
  return false;
}

uint32_t cache_model_of_whole(const struct cache *c, struct cache_key key) {
  /* The highest id is what was made last, so few sets have it. */
  const uint64_t *newest = hashmap_find(&c->models, key.ids[key.count - 1]);
  uint32_t at = newest ? (uint32_t)*newest : CACHE_NONE;
  for (int looked = 0; at != CACHE_NONE && looked < LOOK_AT; looked++, at = c->links.data[at].before) {
    const struct cache_set *s = &c->sets.data[c->links.data[at].set];
    if (ids_include(c->members.data + s->first, s->count, key.ids, key.count)) return s->model;
  }
  return CACHE_NONE;
}

uint32_t cache_add_model(struct cache *c, const struct value_model *model) {
  struct value_model copy = {0};
  value_model_copy(&copy, model);
  *vec_push(&c->values) = copy;
  return (uint32_t)c->values.count - 1;
}

static void link_to(struct cache *c, struct hashmap *under, uint32_t id, uint32_t set) {
  bool is_new;
  uint64_t *newest = hashmap_at(under, id, CACHE_NONE, &is_new);
  *vec_push(&c->links) = (struct cache_link){set, (uint32_t)*newest};
  *newest = c->links.count - 1;
}

void cache_add(struct cache *c, struct cache_key key, enum value_answer answer, uint32_t model, uint64_t work) {
  uint64_t hash = key_hash(key);
  uint32_t set = find(c, key, hash);
  if (set == CACHE_NONE) {
    uint64_t *newest = hashmap_at(&c->by_hash, hash, CACHE_NONE, NULL);
    set = (uint32_t)c->sets.count;
    *vec_push(&c->sets) = (struct cache_set){.first = c->members.count, .count = key.count, .before = (uint32_t)*newest};
    *newest = set;
    memcpy(vec_push_n(&c->members, key.count), key.ids, key.count * sizeof *key.ids);
  }
  struct cache_set *s = &c->sets.data[set];
  s->answer = answer, s->model = model, s->work = work;
  if (answer == VALUE_NO) link_to(c, &c->impossible, key.ids[key.count - 1], set);
  for (size_t i = 0; answer == VALUE_YES && i < key.count; i++) link_to(c, &c->models, key.ids[i], set);
}

void cache_clear(struct cache *c) {
  for (size_t i = 0; i < c->values.count; i++) value_model_release(&c->values.data[i]);
  vec_clear(&c->sets);
  vec_clear(&c->members);
  vec_clear(&c->links);
  vec_clear(&c->values);
  hashmap_clear(&c->by_hash);
  hashmap_clear(&c->impossible);
  hashmap_clear(&c->models);
}

void cache_release(struct cache *c) {
  cache_clear(c);
  vec_release(&c->sets);
  vec_release(&c->members);
  vec_release(&c->links);
  vec_release(&c->values);
  hashmap_release(&c->by_hash);
  hashmap_release(&c->impossible);
  hashmap_release(&c->models);
}
