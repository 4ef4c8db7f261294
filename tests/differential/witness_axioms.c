#include "witness_axioms.h"

#include <string.h>

#define MOST  24u
#define NONE  UINT32_MAX
#define WORDS (SIM_BYTES / 4)

/* A part of the trace: its events are nodes 0 .. n-1. */
struct part {
  const struct sim *x;
  uint32_t n, event[MOST];
  uint32_t target; /* the node of the read that is asked about */
  uint64_t value;
  uint32_t from[MOST];  /* reads: the node that it reads from; NONE: the initial value */
  uint32_t place[MOST]; /* writes: position in the coherence order of their location */
  uint32_t length[WORDS], order[WORDS][MOST];
  uint32_t fixed[MOST], same[MOST]; /* rows of edges: of program order in the global order; of it in one location */
};

static const struct event *at(const struct part *p, uint32_t node) { return &p->x->trace[p->event[node]]; }
static bool reads(const struct event *e) { return e->op == EVENT_READ || e->op == EVENT_RMW; }
static bool writes(const struct event *e) { return e->op == EVENT_WRITE || e->op == EVENT_RMW; }
static bool one_place(const struct event *a, const struct event *b) {
  return (reads(a) || writes(a)) && (reads(b) || writes(b)) && a->object == b->object;
}
static uint32_t word_of(const struct event *e) { return (uint32_t)(e->object - SIM_MEMORY) / 4; }
static uint64_t written(const struct event *e) { return e->op == EVENT_RMW ? e->value2 : e->value; }

/* Fences, locked operations, sequentially consistent stores and all synchronisation stay where they are. */
static bool is_full(const struct sim *x, const struct event *e) {
  if (e->op == EVENT_READ) return false;
  if (e->op == EVENT_WRITE) return e->order == ORDER_SEQ_CST;
  if (e->op == EVENT_FENCE) return e->order == ORDER_SEQ_CST || (x->memory == SIM_PSO && e->order == ORDER_RELEASE);
  return true;
}

/* Is the pair of program order kept in the global order (ppo, fence)? */
static bool is_kept(const struct sim *x, const struct event *a, const struct event *b) {
  if (x->memory == SIM_SC || is_full(x, a) || is_full(x, b)) return true;
  if (a->op == EVENT_FENCE || b->op == EVENT_FENCE) return false;
  if (a->op == EVENT_WRITE && b->op == EVENT_READ) return false;
  if (x->memory == SIM_TSO || a->op == EVENT_READ) return true;
  return one_place(a, b) || b->order == ORDER_RELEASE;
}

static void fix(struct part *p) {
  memset(p->fixed, 0, sizeof p->fixed);
  memset(p->same, 0, sizeof p->same);
  for (uint32_t i = 0; i < p->n; i++) {
    for (uint32_t k = 0; k < p->n; k++) {
      const struct event *a = at(p, i), *b = at(p, k);
      bool po = a->thread == b->thread && a->index < b->index;
      if (po && is_kept(p->x, a, b)) p->fixed[i] |= 1u << k;
      if (po && one_place(a, b)) p->same[i] |= 1u << k;
      if (a->op == EVENT_FORK && b->thread == a->object) p->fixed[i] |= 1u << k;
      if (b->op == EVENT_JOIN && a->thread == b->object) p->fixed[i] |= 1u << k;
    }
  }
}

static bool has_cycle(const uint32_t *edges, uint32_t n) {
  uint32_t left = (1u << n) - 1;
  while (left) {
    uint32_t first = 0, reached = 0;
    for (uint32_t i = 0; i < n; i++)
      if (left >> i & 1) reached |= edges[i];
    first = left & ~reached; /* nothing comes before these */
    if (!first) return true;
    left &= ~first;
  }
  return false;
}

/* Adds rf (all of it, or the external part), co and fr to the edges. */
static void add_edges(const struct part *p, uint32_t *edges, bool internal) {
  for (uint32_t i = 0; i < p->n; i++) {
    const struct event *e = at(p, i);
    for (uint32_t w = 0; w < p->n; w++) {
      if (w == i || !writes(at(p, w)) || !one_place(e, at(p, w))) continue;
      if (writes(e) && p->place[i] < p->place[w]) edges[i] |= 1u << w;
      if (!reads(e)) continue;
      if (p->from[i] == w && (internal || at(p, w)->thread != e->thread)) edges[w] |= 1u << i;
      if (p->from[i] == NONE || p->place[p->from[i]] < p->place[w]) edges[i] |= 1u << w;
    }
  }
}

static bool is_atomic(const struct part *p) {
  for (uint32_t i = 0; i < p->n; i++) {
    if (at(p, i)->op != EVENT_RMW) continue;
    uint32_t before = p->from[i] == NONE ? 0 : p->place[p->from[i]] + 1;
    if (p->place[i] != before) return false;
  }
  return true;
}

static bool is_allowed(const struct part *p) {
  uint32_t edges[MOST];
  if (!is_atomic(p)) return false;
  memcpy(edges, p->same, sizeof edges);
  add_edges(p, edges, true);
  if (has_cycle(edges, p->n)) return false;
  memcpy(edges, p->fixed, sizeof edges);
  add_edges(p, edges, false);
  return !has_cycle(edges, p->n);
}

/* Every coherence order of the words from `word` on. */
static bool try_orders(struct part *p, uint32_t word, uint32_t done) {
  if (word == WORDS) return is_allowed(p);
  if (done == p->length[word]) return try_orders(p, word + 1, 0);
  for (uint32_t i = done; i < p->length[word]; i++) {
    uint32_t node = p->order[word][i];
    p->order[word][i] = p->order[word][done], p->order[word][done] = node;
    p->place[node] = done;
    bool found = try_orders(p, word, done + 1);
    p->order[word][done] = p->order[word][i], p->order[word][i] = node;
    if (found) return true;
  }
  return false;
}

/* Every source of the reads from node `i` on. */
static bool try_sources(struct part *p, uint32_t i) {
  while (i < p->n && !reads(at(p, i))) i++;
  if (i == p->n) return try_orders(p, 0, 0);
  uint64_t value = i == p->target ? p->value : at(p, i)->value;
  if (value == 0) { /* the initial value */
    p->from[i] = NONE;
    if (try_sources(p, i + 1)) return true;
  }
  for (uint32_t w = 0; w < p->n; w++) {
    if (w == i || !writes(at(p, w)) || !one_place(at(p, i), at(p, w)) || written(at(p, w)) != value) continue;
    p->from[i] = w;
    if (try_sources(p, i + 1)) return true;
  }
  return false;
}

static bool try_part(const struct sim *x, const uint32_t *counts, uint32_t event, uint64_t value) {
  struct part p = {.x = x, .value = value};
  for (uint32_t i = 0; i < x->n; i++) {
    const struct event *e = &x->trace[i];
    if (e->index >= counts[e->thread]) continue;
    if (p.n == MOST) return false;
    if (i == event) p.target = p.n;
    if (writes(e)) p.order[word_of(e)][p.length[word_of(e)]++] = p.n;
    p.event[p.n++] = i;
  }
  fix(&p);
  return try_sources(&p, 0);
}

/* Forks of the threads that the part has, ends of those that it joins. */
static bool is_closed(const struct sim *x, const uint32_t *counts) {
  for (uint32_t i = 0; i < x->n; i++) {
    const struct event *e = &x->trace[i];
    bool in = e->index < counts[e->thread];
    if (e->op == EVENT_FORK && !in && counts[e->object] > 0) return false;
    if (e->op == EVENT_JOIN && in && counts[e->object] < x->length[e->object]) return false;
  }
  return true;
}

bool axioms_can(const struct sim *x, uint32_t event, uint64_t value, const uint32_t least[SIM_THREADS]) {
  uint32_t counts[SIM_THREADS], own = x->trace[event].thread;
  memcpy(counts, least, sizeof counts);
  counts[own] = x->trace[event].index + 1;
  for (;;) {
    if (is_closed(x, counts) && try_part(x, counts, event, value)) return true;
    uint32_t t = 0;
    for (; t < x->threads; t++) {
      if (t == own) continue;
      if (counts[t] < x->length[t]) break;
      counts[t] = least[t];
    }
    if (t == x->threads) return false;
    counts[t]++;
  }
}
