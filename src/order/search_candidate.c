#include <assert.h>
#include <string.h>

#include "order/search.h"

/* The place of an event that waits. */
#define DEFERRED (NO_EVENT - 1)
/* The state of a layout: how far each chain has come, and what it waits for. */
struct layout {
  struct search *s;
  porder_pos *done;
  struct search_wait *waits;
  uint32_t blocked; /* chains that wait */
};

static void layout_start(struct layout *l, struct search *s) {
  uint32_t stride = s->porder.stride, chains = s->porder.chains;
  vec_clear(&s->frontier);
  vec_clear(&s->waits);
  *l = (struct layout){.s = s, .done = vec_push_n(&s->frontier, stride), .waits = vec_push_n(&s->waits, chains)};
  if (stride) memset(l->done, 0, stride * sizeof *l->done);
  for (uint32_t c = 0; c < chains; c++) l->waits[c].next = NO_EVENT;
}

/* Is all that must come before `e` laid out, `e` being the next of its chain? Else `w` says what is missing. */
static inline bool ready(const struct layout *l, uint32_t e, struct search_wait *w) {
  const struct porder *p = &l->s->porder;
  const porder_pos *row = porder_row(p, e);
  uint32_t chain = p->events.data[e].chain;
  for (uint32_t c = 0; c < p->chains; c++) {
    if (row[c] <= l->done[c] || c == chain) continue;
    w->on = c, w->until = row[c];
    return false;
  }
  return true;
}

/* Lays out the deferred events that have become ready, the first observed first. */
static uint32_t catch_up(struct layout *l, uint32_t at) {
  const struct porder *p = &l->s->porder;
  while (l->blocked) {
    uint32_t best = NO_EVENT;
    for (uint32_t c = 0; c < p->chains; c++) {
      struct search_wait *w = &l->waits[c];
      if (w->next >= best || l->done[w->on] < w->until) continue;
      if (ready(l, w->next, w)) best = w->next;
    }
    if (best == NO_EVENT) return at;
    uint32_t chain = p->events.data[best].chain, next = p->events.data[best].next;
    l->s->place.data[best] = at++;
    l->done[chain]++;
    /* Only events that have been deferred so far wait. */
    bool waits = next != PORDER_NONE && l->s->place.data[next] == DEFERRED;
    l->waits[chain].next = waits ? next : NO_EVENT;
    if (!waits) l->blocked--;
    /* Not yet looked at: nothing to wait for. */
    l->waits[chain].on = chain, l->waits[chain].until = 0;
  }
  return at;
}

/* As observed, but each event after all that the partial order wants before it. s->deferred: the events that came later than observed.
 * While no chain waits, all events so far are laid out, and what comes before the next one by its row as observed is among them. */
static void lay_out(struct search *s) {
  const struct porder *p = &s->porder;
  struct layout l;
  uint32_t count = (uint32_t)p->events.count, at = 0;
  layout_start(&l, s);
  vec_clear(&s->place);
  vec_clear(&s->deferred);
  uint32_t *place = vec_push_n(&s->place, count);
  for (uint32_t e = 0; e < count; e++) {
    uint32_t chain = p->events.data[e].chain;
    struct search_wait *w = &l.waits[chain];
    if (!l.blocked) {
      if (porder_as_observed(p, e)) {
        place[e] = at++;
        continue;
      }
      memcpy(l.done, p->seen.data + (size_t)e * p->stride, p->stride * sizeof *l.done);
      l.done[chain]--;
    }
    if (w->next == NO_EVENT && ready(&l, e, w)) {
      place[e] = at++;
      l.done[chain]++;
      at = catch_up(&l, at);
      continue;
    }
    if (w->next == NO_EVENT) w->next = e, l.blocked++;
    place[e] = DEFERRED;
    *vec_push(&s->deferred) = e;
  }
  assert(at == count && !l.blocked);
}

bool search_holds(const struct search *s, uint32_t code) {
  uint32_t a, b;
  if (s->values.data[code]) return s->values.data[code] > 0;
  if (!search_pair(s, code, &a, &b)) return s->vars.data[code >> 1].phase != (code & 1);
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
  for (size_t i = 0; i < s->trail.count; i++) {
    uint32_t code = s->trail.data[i];
    const struct search_var *v = &s->vars.data[code >> 1];
    if (v->a == NO_EVENT && v->phase == (code & 1)) check_clauses(s, s->supported.data[code ^ 1]);
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
    const struct search_var *v = &s->vars.data[code >> 1];
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
  struct layout l;
  struct search_wait missing;
  uint32_t count = (uint32_t)p->events.count, now = NO_EVENT;
  layout_start(&l, s);
  for (uint32_t e = count; e-- > 0;) l.waits[p->events.data[e].chain].next = e;
  for (uint32_t at = 0; at < count; at++) {
    if (now == NO_EVENT || !ready(&l, now, &missing)) {
      now = NO_EVENT;
      for (uint32_t c = 0; c < p->chains; c++) {
        if (l.waits[c].next < now && ready(&l, l.waits[c].next, &missing)) now = l.waits[c].next;
      }
    }
    const struct porder_event *e = &p->events.data[now];
    s->place.data[now] = at;
    l.done[e->chain]++;
    now = l.waits[e->chain].next = e->next;
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
