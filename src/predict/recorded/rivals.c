#include "predict/recorded/rivals.h"

#define NONE UINT32_MAX
/* Accesses of one question. A set of accesses that are alike is larger than that if it has to be. */
#define QUESTION_MOST 512u

static void add(struct rivals *r, uint64_t key, bool frees, uint32_t pair) {
  bool is_new = false;
  uint64_t *at = hashmap_at(&r->index, key, r->groups.count, &is_new);
  uint32_t member = (uint32_t)r->members.count;
  *vec_push(&r->members) = (struct rivals_member){pair, NONE};
  if (is_new) {
    *vec_push(&r->groups) = (struct rivals_group){key, member, member, frees};
    return;
  }
  struct rivals_group *g = &r->groups.data[*at];
  r->members.data[g->last].next = member, g->last = member;
}

void rivals_find(struct rivals *r, const struct candidates *c, uint64_t (*key)(void *data, bool frees, uint32_t a, uint32_t b),
                 void *data) {
  vec_clear(&r->groups);
  vec_clear(&r->members);
  hashmap_clear(&r->index);
  for (uint32_t i = 0; i < c->pairs.count; i++) {
    const struct candidate_pair *p = &c->pairs.data[i];
    if (p->races && !p->frees) add(r, key(data, false, p->first, p->second), false, i);
    if (p->frees) add(r, key(data, true, p->first, p->second), true, i);
  }
}

/* The accesses that are alike; of those that use what is freed, the ones before the free. Returns how many. */
static uint32_t put(struct rivals *r, const struct candidates *c, uint32_t access, uint32_t before) {
  size_t first = r->events.count;
  for (uint32_t i = c->accesses.data[access].alike; i != NONE; i = c->alikes.data[i].next)
    if (c->alikes.data[i].event < before) *vec_push(&r->events) = c->alikes.data[i].event;
  return (uint32_t)(r->events.count - first);
}

/* The last free of the set comes behind all uses of a question: earlier ones have been in questions of their own. */
static uint32_t last_event(const struct candidates *c, uint32_t access) { return c->alikes.data[c->accesses.data[access].last].event; }

void rivals_question(struct rivals *r, const struct candidates *c, const struct rivals_group *g, uint32_t *member) {
  vec_clear(&r->sets);
  vec_clear(&r->events);
  vec_clear(&r->offsets);
  while (*member != NONE && r->events.count < QUESTION_MOST) {
    const struct candidate_pair *p = &c->pairs.data[r->members.data[*member].pair];
    *vec_push(&r->offsets) = (uint32_t)r->events.count;
    uint32_t n = put(r, c, p->one, g->frees ? last_event(c, p->two) : NONE), m = put(r, c, p->two, NONE);
    if (n > 0) *vec_push(&r->sets) = (struct causal_rivals){.n = n, .m = m, .frees = g->frees};
    if (n == 0) r->events.count -= m, (void)vec_pop(&r->offsets);
    *member = r->members.data[*member].next;
  }
  for (size_t i = 0; i < r->sets.count; i++) {
    struct causal_rivals *set = &r->sets.data[i];
    set->firsts = r->events.data + r->offsets.data[i], set->seconds = set->firsts + set->n;
  }
}

void rivals_release(struct rivals *r) {
  vec_release(&r->groups);
  vec_release(&r->members);
  hashmap_release(&r->index);
  vec_release(&r->sets);
  vec_release(&r->events);
  vec_release(&r->offsets);
}
