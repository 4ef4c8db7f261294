/* Accesses, by the bytes that they touch: locations that overlap are cut into cells, so that mixed sizes need no more thought. */
#include <stdlib.h>

#include "causal/internal.h"

static bool is_access(const struct event *e) {
  return e->op == EVENT_READ || e->op == EVENT_WRITE || e->op == EVENT_RMW || e->op == EVENT_FREE || (e->op == EVENT_AWAIT && e->size <= 8);
}

static bool is_operation(const struct event *e) { return e->op >= EVENT_ACQUIRE && e->op <= EVENT_SEM_WAIT; }

/* The values are not known, but it is known where the access is. */
static bool is_blank(const struct causal *c, const struct event *e) {
  return c->options.recorded && e->size <= CAUSAL_WIDE && (e->size > 8 || (e->flags & EVENT_BLANK));
}

static uint32_t location_of(struct causal *c, uint64_t object, uint64_t size) {
  for (uint64_t key = hash_pair(object, size);; key++) {
    bool is_new = false;
    uint64_t *at = hashmap_at(&c->index, key, c->locations.count, &is_new);
    if (is_new) *vec_push(&c->locations) = (struct location){.object = object, .size = size};
    const struct location *x = &c->locations.data[*at];
    if (x->object == object && x->size == size) return (uint32_t)*at;
  }
}

static void gather(struct causal *c) {
  hashmap_clear(&c->index);
  for (uint32_t i = 0; i < c->all; i++) {
    const struct event *e = &c->trace[i];
    if (!is_access(e) && !is_operation(e)) continue;
    uint32_t at = location_of(c, e->object, e->size ? e->size : 1);
    c->info.data[i].location = at;
    if (is_access(e)) c->locations.data[at].uses++;
    if (is_operation(e)) c->locations.data[at].operated = true;
  }
}

static int by_address(const void *a, const void *b, void *locations) {
  const struct location *all = locations, *x = &all[*(const uint32_t *)a], *y = &all[*(const uint32_t *)b];
  if (x->object != y->object) return x->object < y->object ? -1 : 1;
  return (x->size > y->size) - (x->size < y->size);
}

/* Few are sorted in place: that is the common case, and qsort allocates. */
static void sort(struct causal *c) {
  uint32_t n = (uint32_t)c->locations.count;
  vec_clear(&c->sorted);
  uint32_t *to = vec_push_n(&c->sorted, n);
  for (uint32_t i = 0; i < n; i++) to[i] = i;
  if (n > 48) {
    qsort_r(to, n, sizeof *to, by_address, c->locations.data);
    return;
  }
  for (uint32_t i = 1; i < n; i++)
    for (uint32_t k = i; k > 0 && by_address(&to[k - 1], &to[k], c->locations.data) > 0; k--) {
      uint32_t swap = to[k];
      to[k] = to[k - 1], to[k - 1] = swap;
    }
}

static void add_cell(struct causal *c, uint64_t from, uint64_t to) {
  struct cell *x = vec_push(&c->cells);
  *x = (struct cell){.address = from, .size = to - from, .component = (uint32_t)c->components.count - 1};
  if (x->size <= 8 && c->options.initial) x->known = c->options.initial(c->options.data, from, (uint32_t)x->size, &x->initial);
}

/* The smallest boundary of sorted[from..to-1] behind `address`. */
static uint64_t next_boundary(const struct causal *c, uint32_t from, uint32_t to, uint64_t address) {
  uint64_t best = UINT64_MAX;
  for (uint32_t i = from; i < to; i++) {
    const struct location *x = &c->locations.data[c->sorted.data[i]];
    if (x->uses == 0) continue;
    if (x->object > address && x->object < best) best = x->object;
    if (x->object + x->size > address && x->object + x->size < best) best = x->object + x->size;
  }
  return best;
}

static bool covered(const struct causal *c, uint32_t from, uint32_t to, uint64_t address) {
  for (uint32_t i = from; i < to; i++) {
    const struct location *x = &c->locations.data[c->sorted.data[i]];
    if (x->uses && x->object <= address && address < x->object + x->size) return true;
  }
  return false;
}

/* The locations sorted[from..to-1] overlap: they become a component, cut into cells. */
static void cut(struct causal *c, uint32_t from, uint32_t to) {
  struct component *x = vec_push(&c->components);
  *x = (struct component){0};
  for (uint32_t i = from; i < to; i++) {
    struct location *at = &c->locations.data[c->sorted.data[i]];
    at->component = (uint32_t)c->components.count - 1;
    x->accessed |= at->uses > 0;
    x->operated |= at->operated;
  }
  if (!x->accessed) return;
  uint32_t first = (uint32_t)c->cells.count;
  uint64_t low = next_boundary(c, from, to, 0), high;
  for (; (high = next_boundary(c, from, to, low)) != UINT64_MAX; low = high)
    if (covered(c, from, to, low)) add_cell(c, low, high);
  for (uint32_t i = from; i < to; i++) {
    struct location *at = &c->locations.data[c->sorted.data[i]];
    at->cell = first;
    while (at->uses && c->cells.data[at->cell].address < at->object) at->cell++;
    for (uint32_t k = at->cell; at->uses && k < c->cells.count && c->cells.data[k].address < at->object + at->size; k++) {
      c->cells.data[k].count += at->uses;
      at->cells++;
    }
  }
}

void memory_locate(struct causal *c) {
  gather(c);
  sort(c);
  uint32_t n = (uint32_t)c->sorted.count, from = 0;
  uint64_t end = 0;
  for (uint32_t i = 0; i < n; i++) {
    const struct location *x = &c->locations.data[c->sorted.data[i]];
    if (i > from && x->object >= end) {
      cut(c, from, i);
      from = i, end = 0;
    }
    if (x->object + x->size > end) end = x->object + x->size;
  }
  if (from < n) cut(c, from, n);
  uint32_t entries = 0;
  for (size_t i = 0; i < c->cells.count; i++) {
    struct cell *x = &c->cells.data[i];
    x->first = entries;
    entries += x->count;
    x->count = 0;
  }
  (void)vec_push_n(&c->entries, entries);
}

uint64_t cell_value(const struct cell *x, const struct event *e, uint64_t value) {
  uint64_t shift = 8 * (x->address - e->object);
  if (shift >= 64) return 0;
  return x->size >= 8 ? value >> shift : (value >> shift) & ((1ull << 8 * x->size) - 1);
}

static struct entry *entries_of(const struct causal *c, const struct cell *x) { return &c->entries.data[x->first]; }

const struct entry *cell_own_write(const struct causal *c, const struct cell *x, uint16_t slot, uint32_t position) {
  const struct entry *all = entries_of(c, x);
  while (position-- > 0)
    if (all[position].slot == slot && all[position].writes) return &all[position];
  return NULL;
}

uint32_t cell_position(const struct causal *c, const struct cell *x, uint32_t place) {
  const struct entry *all = entries_of(c, x);
  uint32_t i = x->count;
  while (i-- > 0)
    if (all[i].place == place) return i;
  return x->count;
}

bool step_leaves(const struct causal *c, const struct cell *x, uint32_t event, uint64_t *value) {
  bool found = false;
  for (uint32_t i = c->info.data[event].head; i < event; i++) {
    const struct event *e = &c->trace[i];
    const struct info *info = &c->info.data[i];
    bool access = e->op == EVENT_READ || e->op == EVENT_WRITE || e->op == EVENT_RMW;
    if (!access || info->location == NONE) continue;
    const struct location *at = &c->locations.data[info->location];
    uint32_t cell = (uint32_t)(x - c->cells.data);
    if (cell < at->cell || cell >= at->cell + at->cells) continue;
    found = true;
    *value = cell_value(x, e, e->op == EVENT_RMW ? e->value2 : e->value);
  }
  return found;
}

/* What an AWAIT has seen: the thread's last read of the place. False: none. */
static bool seen_before(const struct causal *c, uint32_t event, uint64_t *value) {
  for (uint32_t i = c->info.data[event].previous; i != NONE; i = c->info.data[i].previous) {
    const struct event *e = &c->trace[i];
    if ((e->op != EVENT_READ && e->op != EVENT_RMW) || c->info.data[i].location != c->info.data[event].location) continue;
    *value = e->value;
    return true;
  }
  return false;
}

/* The same thread's writes that overlap keep their order under PSO, too, where they are on chains of their own. */
static void order_own_writes(struct causal *c, const struct cell *x, const struct info *info) {
  if (c->options.memory != CAUSAL_PSO || !info->buffered) return;
  const struct entry *own = cell_own_write(c, x, info->slot, x->count);
  if (own && own->place != info->place) order_edge(c->order, own->place, info->place);
}

static void add_entry(struct causal *c, uint32_t event, struct cell *x) {
  const struct event *e = &c->trace[event];
  const struct info *info = &c->info.data[event];
  bool reads = e->op == EVENT_READ || e->op == EVENT_RMW || e->op == EVENT_AWAIT, writes = e->op != EVENT_READ && e->op != EVENT_AWAIT;
  order_own_writes(c, x, info);
  struct entry *last = x->count ? &entries_of(c, x)[x->count - 1] : NULL;
  if (!last || last->place != info->place) {
    last = &entries_of(c, x)[x->count++];
    *last = (struct entry){.event = event, .place = info->place, .slot = info->slot, .reads = reads};
    last->blank_read = reads && is_blank(c, e);
    if (reads) last->value = cell_value(x, e, e->value);
    if (e->op == EVENT_AWAIT) {
      uint64_t seen = 0;
      last->watches = seen_before(c, event, &seen);
      last->value = cell_value(x, e, seen);
      if (!last->watches) limited(c, "a wait for a change of what was not read"), keep_out(c, event);
      last->reads = last->watches;
    }
  }
  if (!writes) return;
  last->writes = true;
  last->blank_written = e->op != EVENT_FREE && is_blank(c, e);
  last->vague = e->op == EVENT_FREE || (e->size > 8 && !last->blank_written);
  last->written = cell_value(x, e, e->op == EVENT_RMW ? e->value2 : e->value);
}

void memory_add(struct causal *c, uint32_t event) {
  const struct event *e = &c->trace[event];
  if (e->op == EVENT_AWAIT && !is_access(e)) {
    limited(c, "a wait for a change of several locations");
    keep_out(c, event);
    return;
  }
  if (!is_access(e)) return;
  const struct location *at = &c->locations.data[c->info.data[event].location];
  for (uint32_t i = 0; i < at->cells; i++) add_entry(c, event, &c->cells.data[at->cell + i]);
}

/* A cell's content behind the prefix. What was never written there is what the first read returned. */
static void fix_content(struct causal *c, struct cell *x, const struct event *e) {
  bool writes = e->op == EVENT_WRITE || e->op == EVENT_RMW;
  if (e->op == EVENT_FREE) x->freed = true;
  if (e->op == EVENT_FREE || e->op == EVENT_AWAIT || (!writes && x->known)) return;
  if (!writes && c->options.memory != CAUSAL_SC) return; /* it may be from the thread's own buffer */
  x->known = e->size <= 8;
  x->initial = cell_value(x, e, e->op == EVENT_RMW ? e->value2 : e->value);
}

void memory_settle(struct causal *c, uint32_t event) {
  if (!is_access(&c->trace[event])) return;
  const struct location *at = &c->locations.data[c->info.data[event].location];
  for (uint32_t i = 0; i < at->cells; i++) fix_content(c, &c->cells.data[at->cell + i], &c->trace[event]);
}

/* --- what cannot be modelled --- */

static void freeze(struct causal *c, uint32_t component, const char *why) {
  limited(c, why);
  c->components.data[component].frozen = true;
}

/* A value of the cell that is like no other: a number that it cannot hold, or that nobody comes at by chance. */
static uint64_t unlike(const struct cell *x, uint64_t number) {
  return x->size < 8 ? 1ull << 63 | number : hash_pair(number + 1, 0x9e3779b97f4a7c15u);
}

/* Values that the trace does not say (EVENT_BLANK). What was written is what the next reads found there. */
static void reveal(struct causal *c, struct cell *x) {
  struct entry *all = entries_of(c, x), *writer = NULL;
  bool known = x->known, any = false;
  for (uint32_t i = 0; i < x->count; i++) {
    struct entry *e = &all[i];
    any |= e->blank_read || e->blank_written;
    if (e->reads && !e->blank_read && writer && writer->blank_written) writer->written = e->value, writer->blank_written = false;
    if (e->reads && !e->blank_read && !writer && !known) x->initial = e->value, known = true;
    if (e->writes) writer = e;
  }
  if (!any) return;
  if (!known) x->initial = unlike(x, x->count);
  x->known = true;
  writer = NULL;
  for (uint32_t i = 0; i < x->count; i++) {
    struct entry *e = &all[i];
    if (e->writes && e->blank_written) e->written = unlike(x, i);
    if (e->blank_read && !(writer && writer->vague)) e->value = writer ? writer->written : x->initial;
    if (e->writes) writer = e;
  }
}

bool cell_is_kept(const struct causal *c, const struct cell *x) {
  return c->options.recorded && x->count > 0 && (c->trace[c->entries.data[x->first].event].flags & EVENT_KEPT);
}

/* Does the trace explain what its reads returned? Under TSO and PSO it does not say when stores were flushed. */
static void explain(struct causal *c, struct cell *x) {
  struct entry *all = entries_of(c, x), *writer = NULL;
  if (x->count == 0) return;
  if (x->freed) freeze(c, x->component, "memory that is used again after a free");
  if (cell_is_kept(c, x)) return;
  for (uint32_t i = 0; i < x->count; i++) {
    struct entry *e = &all[i];
    if (writer && c->trace[writer->event].op == EVENT_FREE) freeze(c, x->component, "memory that is used again after a free");
    bool odd = c->options.recorded && e->reads && (c->trace[e->event].flags & EVENT_TIMED_OUT);
    if (odd) freeze(c, x->component, "a read that nothing explains"), e->odd = true;
    if (e->reads && !e->watches && !odd && !writer && !x->known) x->known = true, x->initial = e->value;
    bool known = (c->options.memory == CAUSAL_SC || !writer) && (writer || x->known);
    if (e->reads && !e->watches && known && e->value != (writer ? writer->written : x->initial)) {
      freeze(c, x->component, "memory that changed without an event");
      e->odd |= !writer || !writer->vague;
    }
    const struct event *access = &c->trace[e->event];
    if (access->op != EVENT_FREE && access->size > 8 && !is_blank(c, access))
      freeze(c, x->component, c->options.recorded ? "an access of more than 4,096 bytes" : "an access of more than 8 bytes");
    if (e->writes) writer = e;
  }
}

static bool conflict(const struct entry *a, const struct entry *b) { return a->writes || b->writes; }

/* Is the event a read-modify-write that writes whatever it reads? */
static bool may_read_another(const struct causal *c, uint32_t event) {
  return c->options.recorded && c->trace[event].op == EVENT_RMW && (c->trace[event].flags & EVENT_RESULT);
}

bool memory_is_strict(const struct causal *c, uint32_t event) { return c->trace[event].op == EVENT_RMW && !may_read_another(c, event); }

/* False: nothing depends on what the entry's read returned. */
static struct order_lit needed(struct causal *c, const struct entry *e) {
  bool loose = c->needs && !e->watches && (!e->writes || may_read_another(c, e->event));
  return loose ? c->info.data[e->event].keep : order_not(outside(c, e->place));
}

/* Each comes behind the one before it. */
static void keep_all(struct causal *c, const struct cell *x) {
  const struct entry *all = entries_of(c, x);
  for (uint32_t i = 1; i < x->count; i++)
    if (!before(c, all[i - 1].place, all[i].place)) order_edge(c->order, all[i - 1].place, all[i].place);
}

/* The cell's accesses keep the trace's order, or are in no witness where the trace does not tell it. Of a recorded run it does not where a
 * read returned what nobody had written: either the order cannot have been that, or somebody wrote whom nobody saw, and what else had
 * been done by then is not known. */
static void keep_cell(struct causal *c, const struct cell *x) {
  const struct entry *all = entries_of(c, x);
  for (uint32_t i = 0; i < x->count; i++) {
    if (c->options.memory != CAUSAL_SC) keep_out(c, all[i].event);
    if (all[i].odd && c->options.recorded) clause2(c, unless_exact(c), order_not(needed(c, &all[i])));
    for (uint32_t k = i; c->options.memory == CAUSAL_SC && k-- > 0;) {
      if (conflict(&all[k], &all[i])) keep_order(c, all[k].event, all[i].event);
      if (all[k].writes) break;
    }
  }
}

/* Accesses to the bytes of a synchronisation object, and its operations, keep the trace's order. */
static void keep_operated(struct causal *c) {
  vec_clear(&c->work);
  uint32_t *last = vec_push_n(&c->work, c->components.count);
  for (size_t i = 0; i < c->components.count; i++) last[i] = NONE;
  for (uint32_t i = 0; i < c->n; i++) {
    if (c->info.data[i].location == NONE) continue;
    uint32_t at = c->locations.data[c->info.data[i].location].component;
    if (!c->components.data[at].accessed || !c->components.data[at].operated) continue;
    if (c->options.memory != CAUSAL_SC) keep_out(c, i);
    if (last[at] != NONE) keep_order(c, last[at], i);
    last[at] = i;
  }
}

/* What was touched before a free in the trace is never touched after it. */
static void order_frees(struct causal *c, const struct cell *x) {
  const struct entry *all = entries_of(c, x);
  for (uint32_t i = 0; i < x->count; i++) {
    if (c->trace[all[i].event].op != EVENT_FREE) continue;
    for (uint32_t k = 0; k < i; k++) {
      if (all[k].slot == all[i].slot || before(c, all[k].place, all[i].place)) continue;
      clause_begin(c);
      if (c->info.data[all[k].event].buffered) clause_or(c, unless_exact(c)), limited(c, "a free of memory that is written to");
      clause_or(c, outside(c, all[i].place));
      clause_or(c, outside(c, all[k].place));
      clause_or(c, less(c, all[k].place, all[i].place));
      clause_end(c);
    }
  }
}

/* --- reads keep their values --- */

static void keep_value(struct causal *c, const struct cell *x, uint32_t position) {
  const struct entry *e = &entries_of(c, x)[position];
  struct reading r = {.cell = x, .place = e->place, .position = position, .slot = e->slot};
  struct order_lit guard = order_not(needed(c, e));
  if (!c->options.recorded && !x->known && reading_may_be_initial(c, &r)) {
    c->approximate = true;
    limited(c, "memory of which it is not known what it was before the first write");
  }
  if (e->watches) {
    const struct location *at = &c->locations.data[c->info.data[e->event].location];
    struct reading all[8];
    uint64_t values[8];
    if (x != &c->cells.data[at->cell]) return; /* together with the first one */
    for (uint32_t i = 0; i < at->cells; i++) {
      const struct cell *y = &c->cells.data[at->cell + i];
      uint32_t k = cell_position(c, y, e->place);
      all[i] = (struct reading){.cell = y, .place = e->place, .position = k, .slot = e->slot};
      values[i] = entries_of(c, y)[k].value;
    }
    if (!readings_differ(c, all, values, at->cells, guard)) clause2(c, guard, ORDER_FALSE);
  } else if (!reading_returns(c, &r, guard, e->value)) {
    clause2(c, guard, ORDER_FALSE);
  }
}

/* --- what comes next --- */

/* Most writes that may come next behind a write, so that a clause names them. */
#define NEXT_MOST 3u

/* Is it a write that comes directly behind none but one that has left what it reads? */
static bool is_choosy(const struct causal *c, const struct entry *e) { return e->reads && memory_is_strict(c, e->event); }

/* The writes that may come directly behind one that leaves `value`, at `place`, into c->candidates. False: there are too many. */
static bool find_next(struct causal *c, const struct cell *x, uint64_t value, uint32_t place) {
  const struct entry *all = entries_of(c, x);
  vec_clear(&c->candidates);
  for (uint32_t i = 0; i < x->count; i++) {
    bool may =
        all[i].writes && all[i].place != place && (!is_choosy(c, &all[i]) || all[i].value == value) && !before(c, all[i].place, place);
    if (may && c->candidates.count == NEXT_MOST) return false;
    if (may) *vec_push(&c->candidates) = i;
  }
  return true;
}

/* If the `i`-th entry is a write that comes behind the one at `place`, but not directly, one of the candidates comes between. */
static void come_between(struct causal *c, const struct cell *x, uint32_t i, uint32_t place) {
  const struct entry *all = entries_of(c, x), *e = &all[i];
  if (!e->writes || e->place == place || before(c, e->place, place)) return;
  clause_begin(c);
  clause_or(c, outside(c, e->place));
  if (!before(c, place, e->place)) clause_or(c, less(c, e->place, place));
  for (size_t k = 0; k < c->candidates.count; k++) {
    const struct entry *next = &all[c->candidates.data[k]];
    if (next == e || before(c, next->place, e->place)) return;
    if (!before(c, e->place, next->place)) clause_or(c, less(c, next->place, e->place));
  }
  clause_end(c);
}

/* What a read-modify-write reads is what the write before it has left. So behind a write comes one that reads it, if any does: as behind
 * taking a lock comes giving it back. The reads' clauses say so, too, but by the orders of all writes that would have to come between. */
static void order_next(struct causal *c, const struct cell *x) {
  const struct entry *all = entries_of(c, x);
  bool any = false;
  for (uint32_t i = 0; i < x->count && !any; i++) any = is_choosy(c, &all[i]);
  if (!any || !c->options.recorded || !c->needs) return;
  for (uint32_t i = 0; i < x->count; i++) {
    if (!all[i].writes || all[i].vague || !find_next(c, x, all[i].written, all[i].place)) continue;
    for (uint32_t k = 0; k < x->count; k++) come_between(c, x, k, all[i].place);
  }
  if (!x->known || !find_next(c, x, x->initial, c->start)) return;
  for (uint32_t k = 0; k < x->count; k++) come_between(c, x, k, c->start);
}

/* A chain of literals for each thread, so that a write names one. */
static void need_past(struct causal *c) {
  for (uint32_t i = c->prefix; i < c->n; i++) {
    struct info *x = &c->info.data[i];
    bool reads = c->trace[i].op == EVENT_READ || c->trace[i].op == EVENT_RMW;
    struct order_lit before = x->previous == NONE || x->previous < c->prefix ? ORDER_TRUE : c->info.data[x->previous].past;
    x->past = before;
    if (!reads || event_unused(&c->trace[i]) || (c->trace[i].op == EVENT_RMW && !may_read_another(c, i))) continue;
    x->past = order_var(c->order);
    clause2(c, order_not(x->past), x->keep);
    if (before.code != ORDER_TRUE.code) clause2(c, order_not(x->past), before);
  }
}

/* Which reads keep their values: those that something in the witness depends on. */
static void need(struct causal *c) {
  for (uint32_t i = 0; i < c->n; i++) { /* a cell's entry stands for all of its step */
    uint32_t head = c->info.data[i].head;
    c->info.data[i].keep = head == i ? order_var(c->order) : c->info.data[head].keep;
  }
  for (uint32_t i = c->prefix; i < c->n; i++)
    for (uint32_t k = c->needs->starts[i]; k < c->needs->starts[i + 1]; k++)
      clause2(c, outside(c, place_of(c, i)), c->info.data[c->needs->reads[k]].keep);
  if (c->options.recorded) need_past(c);
}

void memory_finish(struct causal *c) {
  if (c->needs) need(c);
  for (size_t i = 0; i < c->cells.count && c->options.recorded; i++) reveal(c, &c->cells.data[i]);
  for (size_t i = 0; i < c->cells.count; i++) explain(c, &c->cells.data[i]);
  for (size_t i = 0; i < c->components.count; i++) {
    struct component *x = &c->components.data[i];
    if (x->accessed && x->operated) freeze(c, (uint32_t)i, "an access to the bytes of a synchronisation object");
  }
  bool operated = false;
  for (size_t i = 0; i < c->components.count; i++) operated |= c->components.data[i].accessed && c->components.data[i].operated;
  if (operated) keep_operated(c);
  origins_find(c);
  for (size_t i = 0; i < c->cells.count; i++) {
    const struct cell *x = &c->cells.data[i];
    if (cell_is_kept(c, x)) {
      keep_all(c, x);
      continue;
    }
    if (c->components.data[x->component].frozen) {
      keep_cell(c, x);
      continue;
    }
    order_frees(c, x);
    order_next(c, x);
    for (uint32_t k = 0; k < x->count; k++)
      if (entries_of(c, x)[k].reads) keep_value(c, x, k);
  }
}
