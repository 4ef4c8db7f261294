#include "value/recent.h"

#include <string.h>

enum { MANY_TRUTHS = 1 << 14, MANY_EXPRESSIONS = 1 << 21 };

void recent_use(struct recent *r, uint32_t model) {
  unsigned at = 0;
  while (at < r->count && r->models[at].model != model) at++;
  if (at == r->count) {
    if (r->count < RECENT_MODELS) r->count++;
    at = r->count - 1;
    hashmap_clear(&r->models[at].truths);
    r->models[at].model = model;
    r->models[at].evaluator.model = NULL;
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

/* Of the model, with the values of what was asked before where they are kept. */
static struct evaluator *evaluator_of(struct recent *r, struct recent_model *known, const struct cache *c, const struct value_pool *p) {
  const struct value_model *m = &c->values.data[known->model];
  bool kept = value_pool_count(p) < MANY_EXPRESSIONS;
  struct evaluator *v = kept ? &known->evaluator : &r->evaluator;
  if (!kept || !v->model) evaluator_begin(v, p, m);
  v->model = m; /* models move */
  return v;
}

/* From the highest id down: what was made last is what is most likely false. */
static bool holds(struct recent *r, struct recent_model *known, const struct cache *c, const struct value_pool *p, struct cache_key key) {
  struct evaluator *v = NULL;
  if (known->truths.count > MANY_TRUTHS) hashmap_clear(&known->truths);
  for (size_t i = key.count; i-- > 0;) {
    bool is_new;
    uint64_t *truth = hashmap_at(&known->truths, key.ids[i], 0, &is_new);
    if (is_new) {
      if (!v) v = evaluator_of(r, known, c, p);
      *truth = evaluator_value(v, (struct expr){key.ids[i]}) != 0;
    }
    if (!*truth) return false;
  }
  return true;
}

bool recent_holds_of(struct recent *r, const struct cache *c, const struct value_pool *p, uint32_t model, struct cache_key key) {
  for (unsigned i = 0; i < r->count; i++)
    if (r->models[i].model == model) return holds(r, &r->models[i], c, p, key);
  return recent_holds(r, p, &c->values.data[model], key);
}

uint32_t recent_find(struct recent *r, const struct cache *c, const struct value_pool *p, struct cache_key key) {
  for (unsigned i = 0; i < r->count; i++)
    if (holds(r, &r->models[i], c, p, key)) return r->models[i].model;
  return CACHE_NONE;
}

void recent_clear(struct recent *r) {
  for (unsigned i = 0; i < r->count; i++) {
    hashmap_clear(&r->models[i].truths);
    r->models[i].evaluator.model = NULL;
  }
  r->count = 0;
}

void recent_release(struct recent *r) {
  for (unsigned i = 0; i < RECENT_MODELS; i++) {
    hashmap_release(&r->models[i].truths);
    evaluator_release(&r->models[i].evaluator);
  }
  evaluator_release(&r->evaluator);
}
