/* Recorded runs: what must come before an event because of the values that it needs. If each write that a read can have its value from
 * comes behind some event, that event comes before whoever needs the read. In a stack or a queue of nodes a value is written by the one
 * that made it and then again and again by those who found it: each of them has it from another one, and in the end from the first. The
 * engine would have to find that out by trying their orders.
 *
 * The *origins* of an event are the events that each way to come to it has: itself, the origins of what its thread did before, of its fork,
 * of what it joined, and of each value that it needs; those of a value are what the origins of all writes of it have in common. That has
 * many solutions, since writes may have their values from each other in a circle; as no run comes about so, the greatest one is right: the
 * set of dominators. It is computed from above, as one number for each thread, up to which its events are origins.
 *
 * Origins become edges. A witness has the origins of what it has, before it; events that it does not have come behind its end in the order
 * of the trace, which has each event behind its origins, too. */
#include <stdlib.h>
#include <string.h>

#include "causal/internal.h"

#define ALL         UINT32_MAX
#define ROUNDS_MOST 4u
#define PASSES_MOST 64u

static uint32_t threads(const struct causal *c) { return (uint32_t)c->threads.count; }
/* Where rows of the event begin. */
static size_t at(const struct causal *c, uint32_t event) { return (size_t)(event - c->prefix) * threads(c); }
static bool is_behind_prefix(const struct causal *c, uint32_t event) { return event != NONE && event >= c->prefix; }

static void number_events(struct causal *c) {
  struct origins *o = &c->origins;
  uint32_t n = c->n - c->prefix, slots = threads(c);
  vec_clear(&o->ordinals), vec_clear(&o->starts), vec_clear(&o->members);
  uint32_t *starts = vec_push_n(&o->starts, slots + 1);
  memset(starts, 0, (slots + 1) * sizeof *starts);
  for (uint32_t i = c->prefix; i < c->n; i++) *vec_push(&o->ordinals) = ++starts[c->info.data[i].slot + 1];
  for (uint32_t s = 0; s < slots; s++) starts[s + 1] += starts[s];
  (void)vec_push_n(&o->members, n);
  for (uint32_t i = c->prefix; i < c->n; i++) o->members.data[starts[c->info.data[i].slot] + o->ordinals.data[i - c->prefix] - 1] = i;
}

/* --- what values come from --- */

static bool may_give(const struct causal *c, const struct cell *x, uint32_t position, const struct entry *own, const struct entry *w) {
  const struct entry *r = &c->entries.data[x->first + position];
  if (!w->writes || w->vague || w->written != r->value || w->place == r->place) return false;
  if (w->slot == r->slot) return w == own;
  return !before(c, r->place, w->place) && !(own && before(c, w->place, own->place));
}

/* The writes that the read of the cell may have its value from, as events. None: nothing is known of it, or what was there at first is one.
 */
static void add_sources(struct causal *c, const struct cell *x, uint32_t position) {
  const struct entry *all = &c->entries.data[x->first], *r = &all[position], *own = cell_own_write(c, x, r->slot, position);
  struct reading reading = {.cell = x, .place = r->place, .position = position, .slot = r->slot};
  if (c->components.data[x->component].frozen || r->watches) return;
  if (x->known && x->initial == r->value && reading_may_be_initial(c, &reading)) return;
  size_t first = c->origins.sources.count;
  for (uint32_t i = 0; i < x->count; i++)
    if (may_give(c, x, position, own, &all[i])) *vec_push(&c->origins.sources) = all[i].event;
  if (c->origins.sources.count > first) *vec_push(&c->origins.values) = (struct origin_value){r->event, (uint32_t)first, 0};
}

static int by_event(const void *a, const void *b) {
  const struct origin_value *p = a, *q = b;
  if (p->event != q->event) return p->event < q->event ? -1 : 1;
  return p->source < q->source ? -1 : p->source > q->source;
}

static void find_sources(struct causal *c) {
  struct origins *o = &c->origins;
  vec_clear(&o->sources), vec_clear(&o->values);
  for (size_t i = 0; i < c->cells.count; i++)
    for (uint32_t k = 0; k < c->cells.data[i].count && !cell_is_kept(c, &c->cells.data[i]); k++)
      if (c->entries.data[c->cells.data[i].first + k].reads) add_sources(c, &c->cells.data[i], k);
  for (size_t i = 0; i < o->values.count; i++)
    o->values.data[i].sources =
        (i + 1 < o->values.count ? o->values.data[i + 1].source : (uint32_t)o->sources.count) - o->values.data[i].source;
  if (o->values.count) qsort(o->values.data, o->values.count, sizeof o->values.data[0], by_event);
}

/* --- rows --- */

static void join(uint32_t *to, const uint32_t *from, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (from[i] > to[i]) to[i] = from[i];
}

/* What the sources of the value have in common, with what these have written it by, joins `to`. */
static void join_value(struct causal *c, const struct origin_value *v, uint32_t *to) {
  struct origins *o = &c->origins;
  uint32_t n = threads(c);
  uint32_t *common = o->common;
  for (uint32_t s = 0; s < n; s++) common[s] = ALL;
  for (uint32_t i = v->source; i < v->source + v->sources; i++) {
    const uint32_t *row = &o->rows.data[at(c, o->sources.data[i])], *past = &o->pasts.data[at(c, o->sources.data[i])];
    bool constant = writes_always_the_same(&c->trace[o->sources.data[i]]);
    for (uint32_t s = 0; s < n; s++) {
      uint32_t one = row[s] > past[s] || constant ? row[s] : past[s];
      if (one < common[s]) common[s] = one;
    }
  }
  join(to, common, n);
}

/* All origins of the value that the event read; `*next`: the first of its values, if it has any. */
static void find_value(struct causal *c, uint32_t event, size_t *next) {
  struct origins *o = &c->origins;
  uint32_t *to = &o->reads.data[at(c, event)];
  memset(to, 0, threads(c) * sizeof *to);
  for (; *next < o->values.count && o->values.data[*next].event == event; ++*next) join_value(c, &o->values.data[*next], to);
}

static const uint32_t *end_of(const struct causal *c, const struct event *e) {
  if (e->op != EVENT_JOIN || (e->flags & EVENT_TIMED_OUT) || e->object >= THREADS_MAX || !c->slot_of[e->object]) return NULL;
  uint32_t end = c->threads.data[c->slot_of[e->object] - 1].end;
  return is_behind_prefix(c, end) ? &c->origins.rows.data[at(c, end)] : NULL;
}

/* Sets the event's rows; true: they are others than before. */
static bool find_rows(struct causal *c, uint32_t event, size_t *next) {
  struct origins *o = &c->origins;
  const struct info *x = &c->info.data[event];
  uint32_t n = threads(c), *row = o->row, *past = o->past, previous = x->previous, fork = c->threads.data[x->slot].fork;
  const uint32_t *end = end_of(c, &c->trace[event]);
  memset(row, 0, n * sizeof *row);
  memset(past, 0, n * sizeof *past);
  find_value(c, event, next);
  if (is_behind_prefix(c, previous)) {
    join(row, &o->rows.data[at(c, previous)], n);
    join(past, &o->pasts.data[at(c, previous)], n);
  } else if (previous == NONE && is_behind_prefix(c, fork)) {
    join(row, &o->rows.data[at(c, fork)], n);
  }
  if (end) join(row, end, n);
  for (uint32_t k = c->needs->starts[event]; k < c->needs->starts[event + 1]; k++)
    if (is_behind_prefix(c, c->needs->reads[k])) join(row, &o->reads.data[at(c, c->needs->reads[k])], n);
  if (!event_unused(&c->trace[event])) join(memory_is_strict(c, event) ? row : past, &o->reads.data[at(c, event)], n);
  row[x->slot] = o->ordinals.data[event - c->prefix];
  bool same =
      memcmp(row, &o->rows.data[at(c, event)], n * sizeof *row) == 0 && memcmp(past, &o->pasts.data[at(c, event)], n * sizeof *past) == 0;
  memcpy(&o->rows.data[at(c, event)], row, n * sizeof *row);
  memcpy(&o->pasts.data[at(c, event)], past, n * sizeof *past);
  return !same;
}

/* From above: all rows have everything at first. False: it takes too long. */
static bool find_origins(struct causal *c) {
  struct origins *o = &c->origins;
  size_t n = at(c, c->n);
  vec_clear(&o->rows), vec_clear(&o->pasts), vec_clear(&o->reads);
  memset(vec_push_n(&o->rows, n), 0xff, n * sizeof(uint32_t));
  memset(vec_push_n(&o->pasts, n), 0xff, n * sizeof(uint32_t));
  memset(vec_push_n(&o->reads, n), 0xff, n * sizeof(uint32_t));
  for (uint32_t pass = 0; pass < PASSES_MOST; pass++) {
    bool changed = false;
    size_t next = 0;
    for (uint32_t i = c->prefix; i < c->n; i++) changed |= find_rows(c, i, &next);
    if (!changed) return true;
  }
  return false;
}

/* --- edges --- */

/* True: there are new ones. */
static bool add_edges(struct causal *c) {
  const struct origins *o = &c->origins;
  bool any = false;
  for (uint32_t i = c->prefix; i < c->n; i++) {
    const struct info *x = &c->info.data[i];
    const uint32_t *row = &o->rows.data[at(c, i)], *earlier = is_behind_prefix(c, x->previous) ? &o->rows.data[at(c, x->previous)] : NULL;
    for (uint32_t s = 0; s < threads(c); s++) {
      if (s == x->slot || row[s] == 0 || row[s] == ALL || (earlier && earlier[s] == row[s])) continue;
      uint32_t from = place_of(c, o->members.data[o->starts.data[s] + row[s] - 1]);
      if (before(c, from, x->place)) continue;
      order_edge(c->order, from, x->place);
      any = true;
    }
  }
  return any;
}

void origins_find(struct causal *c) {
  if (!c->options.recorded || !c->needs || c->n == c->prefix) return;
  number_events(c);
  for (uint32_t round = 0; round < ROUNDS_MOST; round++) {
    find_sources(c);
    if (c->origins.values.count == 0 || !find_origins(c) || !add_edges(c)) return;
  }
}
