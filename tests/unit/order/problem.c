#include "problem.h"

#include <string.h>

void problem_start(struct problem *p, struct order *o, uint64_t seed, uint32_t chains, uint32_t events, uint32_t booleans) {
  *p = (struct problem){.rng = {seed * 0x9e3779b97f4a7c15u + 1}, .order = o, .chains = chains};
  order_clear(o, chains);
  for (uint32_t i = 0; i < events; i++) (void)order_event(o, rng_below(&p->rng, chains)), p->events++;
  for (uint32_t i = 0; i < booleans; i++) p->vars[p->booleans++] = order_var(o);
}

struct order_lit problem_lit(struct problem *p) {
  struct order_lit l;
  if (p->booleans && rng_below(&p->rng, 5) == 0) {
    l = p->vars[rng_below(&p->rng, p->booleans)];
    return rng_below(&p->rng, 2) ? l : order_not(l);
  }
  uint32_t a = rng_below(&p->rng, p->events), b = rng_below(&p->rng, p->events);
  return a == b ? (rng_below(&p->rng, 4) ? problem_lit(p) : ORDER_FALSE) : order_less(p->order, a, b);
}

void problem_clause(struct problem *p) {
  struct order_lit lits[12];
  uint32_t n = rng_below(&p->rng, 20) == 0 ? 9 + rng_below(&p->rng, 4) : 1 + rng_below(&p->rng, 4) % 3 + rng_below(&p->rng, 2);
  if (n < p->shortest) n = p->shortest;
  for (uint32_t i = 0; i < n; i++) lits[i] = problem_lit(p);
  order_clause(p->order, lits, n);
}

void problem_edge(struct problem *p) {
  uint32_t a = rng_below(&p->rng, p->events), b = rng_below(&p->rng, p->events);
  if (a != b || rng_below(&p->rng, 10) == 0) order_edge(p->order, a, b);
}

void problem_push(struct problem *p) {
  p->levels[p->depth].booleans = p->booleans, p->levels[p->depth++].events = p->events;
  order_push(p->order);
  if (rng_below(&p->rng, 4) == 0) p->vars[p->booleans++] = order_var(p->order);
  if (rng_below(&p->rng, 8) == 0) (void)order_event(p->order, rng_below(&p->rng, p->chains)), p->events++;
}

void problem_pop(struct problem *p) {
  order_pop(p->order);
  p->booleans = p->levels[--p->depth].booleans, p->events = p->levels[p->depth].events;
}

/* All that the enumeration looks at. */
struct brute {
  const struct order_record *record;
  record_active active;
  const struct record_lit *assumed;
  size_t nassumed;
  uint32_t chains[16][64], lengths[16], done[16], place[64], events, booleans;
  bool values[64];
};

static bool lit_holds(const struct brute *b, struct record_lit l) {
  if (l.a == RECORD_IS || l.a == RECORD_IS_NOT) return (l.b == RECORD_TRUE || b->values[l.b]) == (l.a == RECORD_IS);
  return b->place[l.a] < b->place[l.b];
}

static bool all_holds(const struct brute *b) {
  for (size_t i = 0; i < b->nassumed; i++) {
    if (!lit_holds(b, b->assumed[i])) return false;
  }
  for (size_t i = 0; i < b->active.count; i++) {
    const struct record_step *s = &b->record->steps.data[b->active.data[i]];
    if (s->op == RECORD_EDGE && b->place[s->a] >= b->place[s->b]) return false;
    bool some = s->op != RECORD_CLAUSE;
    for (uint32_t j = 0; j < s->count && !some; j++) some = lit_holds(b, b->record->lits.data[s->lits + j]);
    if (!some) return false;
  }
  return true;
}

static bool each_boolean(struct brute *b, uint32_t i) {
  if (i == b->booleans) return all_holds(b);
  for (int value = 0; value < 2; value++) {
    b->values[i] = value;
    if (each_boolean(b, i + 1)) return true;
  }
  return false;
}

static bool each_order(struct brute *b, uint32_t at) {
  if (at == b->events) return each_boolean(b, 0);
  for (uint32_t c = 0; c < 16; c++) {
    if (b->done[c] == b->lengths[c]) continue;
    b->place[b->chains[c][b->done[c]++]] = at;
    bool found = each_order(b, at + 1);
    b->done[c]--;
    if (found) return true;
  }
  return false;
}

bool brute_force(const struct order_record *r, size_t count, const struct record_lit *only, size_t nonly) {
  struct brute b = {.record = r, .assumed = only, .nassumed = nonly};
  order_record_active(r, count, &b.active);
  for (size_t i = 0; i < b.active.count; i++) {
    const struct record_step *s = &r->steps.data[b.active.data[i]];
    if (s->op == RECORD_EVENT) b.chains[s->a][b.lengths[s->a]++] = b.events++;
    b.booleans += s->op == RECORD_VAR;
  }
  bool found = each_order(&b, 0);
  vec_release(&b.active);
  return found;
}
