#include <assert.h>
#include <string.h>

#include "order/search.h"

/* How far each chain has come in a layout, lane by lane. Read and written in whole pieces only: a small write into a piece that is read
 * next would stall. */
static porder_lanes *frontier_start(struct search *s) {
  uint32_t stride = s->porder.stride;
  vec_clear(&s->frontier);
  porder_pos *done = vec_push_n(&s->frontier, stride);
  if (stride) memset(done, 0, stride * sizeof *done);
  return (porder_lanes *)done;
}

static inline void frontier_step(porder_lanes *done, uint32_t chain) {
  static const porder_pos one[2 * PORDER_LANES] = {[PORDER_LANES - 1] = 1};
  typedef porder_pos loose __attribute__((vector_size(2 * PORDER_LANES), aligned(2), may_alias));
  done[chain / PORDER_LANES] += *(const loose *)(one + PORDER_LANES - 1 - chain % PORDER_LANES);
}

/* Is all that must come before `e` laid out, and `e` the next of its chain? Then its own lane is all that its row has more. */
static inline bool ready(const struct porder *p, const porder_lanes *done, uint32_t e) {
  const porder_lanes *row = (const porder_lanes *)porder_row(p, e);
  uint32_t chain = p->events.data[e].chain, other = 0;
  if (p->stride == PORDER_LANES)
    return porder_more(row, done) == 1u << chain && porder_row(p, e)[chain] == ((const porder_pos *)done)[chain] + 1;
  for (uint32_t i = 0; i < p->stride / PORDER_LANES; i++) {
    uint32_t own = i == chain / PORDER_LANES ? 1u << chain % PORDER_LANES : 0;
    other |= porder_more(row + i, done + i) & ~own;
  }
  return !other && porder_row(p, e)[chain] == ((const porder_pos *)done)[chain] + 1;
}

/* Lays out the events that waited for `key`, the first observed first where they do not wait for each other. */
static uint32_t release(struct search *s, porder_lanes *done, uint32_t key, uint32_t at) {
  struct search_wait *waits = s->waits.data;
  while (waits[key].first) {
    for (uint32_t *link = &waits[key].first; *link;) {
      uint32_t e = *link - 1;
      if (!ready(&s->porder, done, e)) {
        link = &waits[e].next;
        continue;
      }
      *link = waits[e].next;
      s->place.data[e] = at++;
      frontier_step(done, s->porder.events.data[e].chain);
    }
  }
  return at;
}

/* As observed, but each event after all that the partial order wants before it: it waits for the latest of these. s->deferred: the events
 * that do. */
static void lay_out(struct search *s) {
  const struct porder *p = &s->porder;
  uint32_t count = (uint32_t)p->events.count, at = 0;
  porder_lanes *done = frontier_start(s);
  vec_clear(&s->place);
  vec_clear(&s->deferred);
  uint32_t *place = vec_push_n(&s->place, count);
  while (s->waits.count < count) *vec_push(&s->waits) = (struct search_wait){0};
  for (uint32_t e = 0; e < count; e++) {
    uint32_t key = porder_latest(p, e);
    if (key != e) {
      struct search_wait *w = &s->waits.data[key];
      s->waits.data[e].next = 0;
      *(w->first ? &s->waits.data[w->last].next : &w->first) = e + 1;
      w->last = e;
      *vec_push(&s->deferred) = e;
      continue;
    }
    place[e] = at++;
    frontier_step(done, p->events.data[e].chain);
    if (s->waits.data[e].first) at = release(s, done, e, at);
  }
  assert(at == count);
}

bool search_holds(const struct search *s, uint32_t code) {
  uint32_t a, b;
  if (s->values.data[code]) return s->values.data[code] > 0;
  if (!search_pair(s, code, &a, &b)) return s->ranks.data[code >> 1].phase != (code & 1);
  return s->place.data[a] < s->place.data[b];
}

static void check_clauses(struct search *s, uint32_t link) {
  while (link) {
    const struct clause *c = search_clause(s, link - 1);
    bool holds = false;
    for (uint32_t i = 0; i < c->size && !holds; i++) holds = search_holds(s, c->lits[i]);
    if (!holds) *vec_push(&s->broken) = link - 1;
    link = c->link;
  }
}

/* The clauses that rest on `e` coming before an event that it now follows. */
static void check_deferred(struct search *s, uint32_t e) {
  const uint32_t *heads = s->heads.data + (size_t)e * s->porder.chains;
  for (uint32_t c = 0; c < s->porder.chains; c++) {
    for (uint32_t n = heads[c]; n; n = s->spans.data[n - 1].next) {
      /* n - 1 says that another event comes before e; it was observed the other way if it is negative. */
      uint32_t code = n - 1;
      if (code & 1 && s->supported.data[code ^ 1] && search_holds(s, code)) check_clauses(s, s->supported.data[code ^ 1]);
    }
  }
}

bool search_candidate(struct search *s) {
  s->stats.candidates++;
  lay_out(s);
  vec_clear(&s->broken);
  check_clauses(s, s->unsupported);
  for (size_t i = 0; i < s->booleans.count; i++) {
    uint32_t expected = 2 * s->booleans.data[i] + !s->ranks.data[s->booleans.data[i]].phase;
    if (s->values.data[expected] < 0) check_clauses(s, s->supported.data[expected]);
  }
  for (size_t i = 0; i < s->deferred.count; i++) check_deferred(s, s->deferred.data[i]);
  return s->broken.count == 0;
}

/* The open literal to decide so that the clause holds: one that is as observed before others, then the most active. */
static uint32_t choose(const struct search *s, const struct clause *c) {
  uint32_t best = NO_EVENT;
  float activity = -1;
  for (uint32_t i = 0; i < c->size; i++) {
    uint32_t code = c->lits[i];
    const struct search_rank *v = &s->ranks.data[code >> 1];
    if (s->values.data[code]) continue;
    float a = v->activity + (v->phase != (code & 1) ? 1e30f : 0);
    if (a > activity) best = code, activity = a;
  }
  return best;
}

static bool satisfied(const struct search *s, const struct clause *c) {
  for (uint32_t i = 0; i < c->size; i++) {
    if (s->values.data[c->lits[i]] > 0) return true;
  }
  return false;
}

bool search_repair(struct search *s) {
  while (s->broken.count) {
    const struct clause *c = search_clause(s, vec_pop(&s->broken));
    if (satisfied(s, c)) continue;
    search_open(s);
    search_assign(s, choose(s, c), REASON_NONE);
    s->stats.decisions++;
    return true;
  }
  return false;
}

/* Makes one literal of each clause true that holds in the answer, so that every order that the partial order allows is one. */
static void pin(struct search *s) {
  bool fine = true;
  for (uint32_t at = 1; at < s->problem.count;) {
    const struct clause *c = search_clause(s, at);
    at += CLAUSE_WORDS + c->size;
    if (satisfied(s, c)) continue;
    uint32_t i = 0;
    while (!search_holds(s, c->lits[i])) i++;
    search_open(s);
    search_assign(s, c->lits[i], REASON_NONE);
    fine &= search_propagate(s);
  }
  assert(fine);
  (void)fine;
}

/* Stays on a chain as long as it can; then the chain whose next event was observed first. */
static void few_switches(struct search *s) {
  const struct porder *p = &s->porder;
  uint32_t count = (uint32_t)p->events.count, now = NO_EVENT;
  porder_lanes *done = frontier_start(s);
  vec_clear(&s->stack);
  uint32_t *next = vec_push_n(&s->stack, p->chains);
  for (uint32_t c = 0; c < p->chains; c++) next[c] = p->members[c].count ? p->members[c].data[0] : NO_EVENT;
  for (uint32_t at = 0; at < count; at++) {
    if (now == NO_EVENT || !ready(p, done, now)) {
      now = NO_EVENT;
      for (uint32_t c = 0; c < p->chains; c++) {
        if (next[c] < now && ready(p, done, next[c])) now = next[c];
      }
    }
    const struct porder_event *e = &p->events.data[now];
    s->place.data[now] = at;
    frontier_step(done, e->chain);
    now = next[e->chain] = e->next;
  }
}

void search_linear(struct search *s, uint32_t *out) {
  if (!s->laid_out) {
    pin(s);
    few_switches(s);
    s->laid_out = true;
  }
  if (!out) return;
  for (uint32_t e = 0; e < s->porder.events.count; e++) out[s->place.data[e]] = e;
}
