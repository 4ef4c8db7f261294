#include "order/porder.h"

#include <assert.h>
#include <string.h>

void porder_release(struct porder *p) {
  vec_release(&p->events);
  vec_release(&p->rows);
  vec_release(&p->seen);
  vec_release(&p->counts);
  vec_release(&p->last);
  vec_release(&p->edges);
  vec_release(&p->changes);
  vec_release(&p->old);
  vec_release(&p->stack);
}

void porder_clear(struct porder *p, uint32_t chains) {
  p->chains = chains;
  p->stride = (chains + PORDER_LANES - 1) / PORDER_LANES * PORDER_LANES;
  vec_clear(&p->events);
  vec_clear(&p->rows);
  vec_clear(&p->seen);
  vec_clear(&p->counts);
  vec_clear(&p->edges);
  vec_clear(&p->changes);
  vec_clear(&p->old);
  vec_clear(&p->last);
  for (uint32_t *last = vec_push_n(&p->last, chains), c = 0; c < chains; c++) last[c] = PORDER_NONE;
  if (p->stride) memset(vec_push_n(&p->counts, p->stride), 0, p->stride * sizeof(porder_pos));
}

uint32_t porder_event(struct porder *p, uint32_t chain) {
  assert(chain < p->chains);
  uint32_t id = (uint32_t)p->events.count, before = p->last.data[chain];
  struct porder_event *e = vec_push(&p->events);
  porder_pos *row = vec_push_n(&p->rows, p->stride);
  *e = (struct porder_event){.next = PORDER_NONE, .chain = (uint16_t)chain, .pos = 1};
  if (before == PORDER_NONE) {
    memset(row, 0, p->stride * sizeof *row);
  } else {
    memcpy(row, porder_row(p, before), p->stride * sizeof *row);
    p->events.data[before].next = id;
    e->pos = (porder_pos)(p->events.data[before].pos + 1);
  }
  row[chain] = p->counts.data[chain] = e->pos;
  memcpy(vec_push_n(&p->seen, p->stride), p->counts.data, p->stride * sizeof *row);
  p->last.data[chain] = id;
  return id;
}

void porder_forget(struct porder *p, uint32_t count) {
  while (p->events.count > count) {
    struct porder_event *e = &vec_pop(&p->events);
    uint32_t before = PORDER_NONE;
    for (uint32_t i = (uint32_t)p->events.count; e->pos > 1 && i-- > 0;) {
      if (p->events.data[i].chain != e->chain) continue;
      before = i;
      break;
    }
    p->last.data[e->chain] = before;
    if (before != PORDER_NONE) p->events.data[before].next = PORDER_NONE;
    p->rows.count -= p->stride;
    p->seen.count -= p->stride;
    p->counts.data[e->chain]--;
  }
}

/* Does `a` say nothing that `b` does not? */
static inline bool covers(const porder_lanes *b, const porder_lanes *a, uint32_t lanes) {
  for (uint32_t i = 0; i < lanes; i++) {
    if (porder_more(a + i, b + i)) return false;
  }
  return true;
}

static inline void join(porder_lanes *b, const porder_lanes *a, uint32_t lanes) {
  for (uint32_t i = 0; i < lanes; i++) {
    porder_lanes more = a[i] > b[i];
    b[i] = (a[i] & more) | (b[i] & ~more);
  }
}

static void log_change(struct porder *p, uint32_t x, uint32_t edge) {
  *vec_push(&p->changes) = (struct porder_change){.event = x, .previous = p->events.data[x].version, .edge = edge};
  p->events.data[x].version = (uint32_t)p->changes.count;
  memcpy(vec_push_n(&p->old, p->stride), porder_row(p, x), p->stride * sizeof(porder_pos));
}

void porder_add(struct porder *p, uint32_t source, uint32_t target, uint32_t label) {
  assert(!porder_before(p, source, target) && !porder_before(p, target, source));
  uint32_t edge = (uint32_t)p->edges.count, lanes = p->stride / PORDER_LANES;
  *vec_push(&p->edges) = (struct porder_edge){source, target, p->events.data[source].out, label};
  p->events.data[source].out = edge + 1;
  const porder_lanes *from = (const porder_lanes *)porder_row(p, source);
  vec_clear(&p->stack);
  *vec_push(&p->stack) = target;
  while (p->stack.count) {
    for (uint32_t x = vec_pop(&p->stack); x != PORDER_NONE; x = p->events.data[x].next) {
      porder_lanes *row = (porder_lanes *)porder_row(p, x);
      if (covers(row, from, lanes)) break;
      log_change(p, x, edge);
      join(row, from, lanes);
      for (uint32_t i = p->events.data[x].out; i; i = p->edges.data[i - 1].next) *vec_push(&p->stack) = p->edges.data[i - 1].target;
    }
  }
}

void porder_undo(struct porder *p, struct porder_mark m) {
  while (p->changes.count > m.changes) {
    struct porder_change c = vec_pop(&p->changes);
    p->old.count -= p->stride;
    memcpy(porder_row(p, c.event), p->old.data + p->old.count, p->stride * sizeof(porder_pos));
    p->events.data[c.event].version = c.previous;
  }
  while (p->edges.count > m.edges) {
    struct porder_edge e = vec_pop(&p->edges);
    p->events.data[e.source].out = e.next;
  }
}

void porder_settle(struct porder *p) {
  for (size_t i = 0; i < p->changes.count; i++) p->events.data[p->changes.data[i].event].version = 0;
  vec_clear(&p->changes);
  vec_clear(&p->old);
}

/* The change that made a <= b known, or 0 if that was known from the start; + 1. */
static uint32_t maker(const struct porder *p, const struct porder_event *a, uint32_t b) {
  for (uint32_t v = p->events.data[b].version; v; v = p->changes.data[v - 1].previous) {
    if (p->old.data[(size_t)(v - 1) * p->stride + a->chain] < a->pos) return v;
  }
  return 0;
}

void porder_explain(const struct porder *p, uint32_t a, uint32_t b, void (*take)(void *to, uint32_t label), void *to) {
  for (;;) {
    assert(porder_before(p, a, b));
    uint32_t v = maker(p, &p->events.data[a], b);
    if (!v) return;
    const struct porder_edge *e = &p->edges.data[p->changes.data[v - 1].edge];
    take(to, e->label);
    if (e->source != a) porder_explain(p, a, e->source, take, to);
    a = e->target;
    if (a == b) return;
  }
}
