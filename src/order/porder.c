#include "order/porder.h"

#include <assert.h>
#include <string.h>

#include "order/order.h"

void porder_release(struct porder *p) {
  vec_release(&p->events);
  vec_release(&p->rows);
  vec_release(&p->seen);
  vec_release(&p->counts);
  for (uint32_t c = 0; c < p->members_cap; c++) vec_release(&p->members[c]);
  mem_free(p->members, p->members_cap * sizeof *p->members);
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
  if (chains > p->members_cap) {
    p->members = mem_realloc(p->members, p->members_cap * sizeof *p->members, chains * sizeof *p->members);
    p->members_cap = chains;
  }
  for (uint32_t c = 0; c < chains; c++) vec_clear(&p->members[c]);
  if (p->stride) memset(vec_push_n(&p->counts, p->stride), 0, p->stride * sizeof(porder_pos));
}

uint32_t porder_event(struct porder *p, uint32_t chain) {
  assert(chain < p->chains);
  uint32_t id = (uint32_t)p->events.count;
  porder_members *members = &p->members[chain];
  struct porder_event *e = vec_push(&p->events);
  porder_pos *row = vec_push_n(&p->rows, p->stride);
  *e = (struct porder_event){.next = PORDER_NONE,
                             .chain = (uint16_t)chain,
                             .pos = (porder_pos)(members->count < ORDER_CHAIN_MOST ? members->count + 1 : ORDER_CHAIN_MOST)};
  if (members->count) {
    memcpy(row, porder_row(p, vec_last(members)), p->stride * sizeof *row);
    p->events.data[vec_last(members)].next = id;
  } else {
    memset(row, 0, p->stride * sizeof *row);
  }
  *vec_push(members) = id;
  row[chain] = p->counts.data[chain] = e->pos;
  memcpy(vec_push_n(&p->seen, p->stride), p->counts.data, p->stride * sizeof *row);
  return id;
}

void porder_forget(struct porder *p, uint32_t count) {
  while (p->events.count > count) {
    uint32_t chain = vec_pop(&p->events).chain;
    porder_members *members = &p->members[chain];
    members->count--;
    if (members->count) p->events.data[vec_last(members)].next = PORDER_NONE;
    p->rows.count -= p->stride;
    p->seen.count -= p->stride;
    p->counts.data[chain] = members->count ? p->events.data[vec_last(members)].pos : 0;
  }
}

/* In which components `a` says more than `b`: a bit each, of 16 in turn. */
static inline uint32_t grown_by(const porder_lanes *b, const porder_lanes *a, uint32_t lanes) {
  uint32_t grown = porder_more(a, b);
  for (uint32_t i = 1; i < lanes; i++) grown |= porder_more(a + i, b + i) << PORDER_LANES * (i % 2);
  return grown;
}

static inline void join(porder_lanes *b, const porder_lanes *a, uint32_t lanes) {
  for (uint32_t i = 0; i < lanes; i++) {
    porder_lanes more = a[i] > b[i];
    b[i] = (a[i] & more) | (b[i] & ~more);
  }
}

static inline void copy_row(porder_pos *to, const porder_pos *from, uint32_t stride) {
  for (uint32_t i = 0; i < stride; i += PORDER_LANES) *(porder_lanes *)(to + i) = *(const porder_lanes *)(from + i);
}

/* What the loop below uses again and again: stores to rows could be to anything, for all the compiler knows. */
struct spread {
  struct porder_event *events;
  struct porder_change *changes;
  const struct porder_edge *edges;
  porder_pos *rows, *old;
  const porder_pos *from;
  uint32_t stride, edge, count, waiting, *stack;
};

/* Joins the source's row into `x` and the events after it in its chain, as far as they grow by it. */
static inline void spread_chain(struct spread *w, uint32_t x) {
  for (; x != PORDER_NONE; x = w->events[x].next) {
    porder_pos *row = w->rows + (size_t)x * w->stride;
    uint32_t grown = grown_by((const porder_lanes *)row, (const porder_lanes *)w->from, w->stride / PORDER_LANES);
    if (!grown) return;
    struct porder_event *e = &w->events[x];
    w->changes[w->count] = (struct porder_change){.event = x, .previous = e->version, .edge = w->edge, .grown = grown};
    copy_row(w->old + (size_t)w->count * w->stride, row, w->stride);
    e->version = ++w->count;
    join((porder_lanes *)row, (const porder_lanes *)w->from, w->stride / PORDER_LANES);
    for (uint32_t i = e->out; i; i = w->edges[i - 1].next) w->stack[w->waiting++] = w->edges[i - 1].target;
  }
}

void porder_add(struct porder *p, uint32_t source, uint32_t target, uint32_t label) {
  assert(!porder_before(p, source, target) && !porder_before(p, target, source));
  uint32_t edge = (uint32_t)p->edges.count;
  *vec_push(&p->edges) = (struct porder_edge){source, target, p->events.data[source].out, label};
  p->events.data[source].out = edge + 1;
  /* A row changes once at most, and then each of its event's edges is followed once. */
  vec_reserve(&p->changes, p->events.count);
  vec_reserve(&p->old, p->events.count * p->stride);
  vec_clear(&p->stack);
  vec_reserve(&p->stack, p->edges.count + 1);
  struct spread w = {.events = p->events.data,
                     .changes = p->changes.data,
                     .edges = p->edges.data,
                     .rows = p->rows.data,
                     .old = p->old.data,
                     .from = porder_row(p, source),
                     .stride = p->stride,
                     .edge = edge,
                     .count = (uint32_t)p->changes.count,
                     .waiting = 1,
                     .stack = p->stack.data};
  w.stack[0] = target;
  while (w.waiting) spread_chain(&w, w.stack[--w.waiting]);
  p->changes.count = w.count;
  p->old.count = (size_t)w.count * p->stride;
}

void porder_undo(struct porder *p, struct porder_mark m) {
  struct porder_event *events = p->events.data;
  porder_pos *rows = p->rows.data, *old = p->old.data;
  uint32_t stride = p->stride;
  for (uint32_t i = (uint32_t)p->changes.count; i-- > m.changes;) {
    struct porder_change c = p->changes.data[i];
    copy_row(rows + (size_t)c.event * stride, old + (size_t)i * stride, stride);
    events[c.event].version = c.previous;
  }
  p->changes.count = m.changes;
  p->old.count = (size_t)m.changes * stride;
  for (uint32_t i = (uint32_t)p->edges.count; i-- > m.edges;) events[p->edges.data[i].source].out = p->edges.data[i].next;
  p->edges.count = m.edges;
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
