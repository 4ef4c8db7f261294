#include "value/recent.h"

#include <string.h>

enum { MANY_TRUTHS = 1 << 14 };

void recent_use(struct recent *r, uint32_t model) {
  unsigned at = 0;
  while (at < r->count && r->models[at].model != model) at++;
  if (at == r->count) {
    if (r->count < RECENT_MODELS) r->count++;
    at = r->count - 1;
    hashmap_clear(&r->models[at].truths);
    r->models[at].model = model;
  }
  struct recent_model used = r->models[at];
  memmove(r->models + 1, r->models, at * sizeof *r->models);
  r->models[0] = used;
}

bool recent_holds(struct recent *r, const struct value_pool *p, const struct value_model *m, struct cache_key key) {
  evaluator_begin(&r->evaluator, p, m);
  for (size_t i = key.count; i-- > 0;)
    if (!evaluator_value(&r->evaluator, (struct expr){key.ids[i]})) return false;
  return true;
}

/* From the highest id down: what was made last is what is most likely false. */
static bool holds(struct recent *r, struct recent_model *known, const struct cache *c, const struct value_pool *p, struct cache_key key) {
  bool begun = false;
  if (known->truths.count > MANY_TRUTHS) hashmap_clear(&known->truths);
  for (size_t i = key.count; i-- > 0;) {
    bool is_new;
    uint64_t *truth = hashmap_at(&known->truths, key.ids[i], 0, &is_new);
    if (is_new) {
      if (!begun) evaluator_begin(&r->evaluator, p, &c->values.data[known->model]);
      begun = true;
      *truth = evaluator_value(&r->evaluator, (struct expr){key.ids[i]}) != 0;
    }
    if (!*truth) return false;
  }
  return true;
}

uint32_t recent_find(struct recent *r, const struct cache *c, const struct value_pool *p, struct cache_key key) {
  for (unsigned i = 0; i < r->count; i++)
    if (holds(r, &r->models[i], c, p, key)) return r->models[i].model;
  return CACHE_NONE;
}

void recent_clear(struct recent *r) {
  for (unsigned i = 0; i < r->count; i++) hashmap_clear(&r->models[i].truths);
  r->count = 0;
}

void recent_release(struct recent *r) {
  for (unsigned i = 0; i < RECENT_MODELS; i++) hashmap_release(&r->models[i].truths);
  evaluator_release(&r->evaluator);
}
