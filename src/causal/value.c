/* What a read returns: for each cell some write of the value comes before it, and every other write before that one or behind the read
 * (docs/model.md, Values). Under TSO and PSO the thread's own last store is read from its buffer or from memory; both are `every
 * other write before that one or behind the read`, as a buffered store's place is its flush. */
#include "causal/internal.h"

static const struct entry *entry_at(const struct causal *c, const struct reading *r, uint32_t i) {
  return &c->entries.data[r->cell->first + i];
}

/* Some write to the cell always comes between the write and the read. */
static bool shadowed(const struct causal *c, const struct reading *r, uint32_t write) {
  uint32_t from = entry_at(c, r, write)->place;
  for (uint32_t i = 0; i < r->cell->count; i++) {
    const struct entry *e = entry_at(c, r, i);
    if (e->writes && i != write && e->place != r->place && before(c, from, e->place) && before(c, e->place, r->place)) return true;
  }
  return false;
}

bool reading_may_be_initial(const struct causal *c, const struct reading *r) {
  for (uint32_t i = 0; i < r->cell->count; i++) {
    const struct entry *e = entry_at(c, r, i);
    if (!e->writes || e->place == r->place) continue;
    if ((e->slot == r->slot && i < r->position) || before(c, e->place, r->place)) return false;
  }
  return true;
}

void reading_candidates(struct causal *c, const struct reading *r) {
  const struct entry *own = cell_own_write(c, r->cell, r->slot, r->position);
  vec_clear(&c->candidates);
  for (uint32_t i = 0; i < r->cell->count; i++) {
    const struct entry *e = entry_at(c, r, i);
    if (!e->writes || e->vague || e->place == r->place) continue;
    bool possible = e->slot == r->slot ? e == own : !before(c, r->place, e->place) && !(own && before(c, e->place, own->place));
    if (possible && !shadowed(c, r, i)) *vec_push(&c->candidates) = i;
  }
  if (r->cell->known && reading_may_be_initial(c, r)) *vec_push(&c->candidates) = NONE;
}

/* What the write's value was computed from stays as it was, unless `guard` holds. */
static void keep_written(struct causal *c, const struct entry *w, struct order_lit guard) {
  if (c->options.recorded && w->event >= c->prefix && !writes_always_the_same(&c->trace[w->event]))
    clause2(c, guard, c->info.data[w->event].past);
  if (!c->needs || !c->needs->values || w->event < c->prefix) return;
  for (uint32_t i = c->info.data[w->event].head; i < c->n && c->info.data[i].head == c->info.data[w->event].head; i = c->info.data[i].next)
    for (uint32_t k = c->needs->value_starts[i]; k < c->needs->value_starts[i + 1]; k++)
      clause2(c, guard, c->info.data[c->needs->values[k]].keep);
}

/* Unless `guard` holds, the reading takes its value from that write, or (NONE) from none. */
static void reads_from(struct causal *c, const struct reading *r, uint32_t write, struct order_lit guard) {
  const struct entry *w = write == NONE ? NULL : entry_at(c, r, write), *own = cell_own_write(c, r->cell, r->slot, r->position);
  if (w) keep_written(c, w, guard);
  if (w && w != own) {
    if (!before(c, w->place, r->place)) clause2(c, guard, less(c, w->place, r->place));
    if (own && !before(c, own->place, w->place)) clause2(c, guard, less(c, own->place, w->place));
  }
  for (uint32_t i = 0; i < r->cell->count; i++) {
    const struct entry *e = entry_at(c, r, i);
    if (!e->writes || e == w || e->slot == r->slot || e->place == r->place || before(c, r->place, e->place)) continue;
    if (w && before(c, e->place, w->place)) continue;
    struct order_lit later = before(c, e->place, r->place) ? ORDER_FALSE : less(c, r->place, e->place);
    struct order_lit earlier = !w || before(c, w->place, e->place) ? ORDER_FALSE : less(c, e->place, w->place);
    clause3(c, guard, later, earlier);
  }
}

static uint64_t written(const struct causal *c, const struct reading *r, uint32_t write) {
  return write == NONE ? r->cell->initial : entry_at(c, r, write)->written;
}

/* A literal for each candidate whose value is `value` (is not), appended to c->alternatives. */
static void add_alternatives(struct causal *c, const struct reading *r, uint64_t value, bool equal) {
  for (uint32_t i = 0; i < c->candidates.count; i++) {
    uint32_t write = c->candidates.data[i];
    if ((written(c, r, write) == value) != equal) continue;
    struct order_lit from = order_var(c->order);
    reads_from(c, r, write, order_not(from));
    *vec_push(&c->alternatives) = from;
  }
}

static bool add_choice(struct causal *c, struct order_lit guard) {
  if (c->alternatives.count == 0) return false;
  *vec_push(&c->alternatives) = guard;
  order_clause(c->order, c->alternatives.data, c->alternatives.count);
  return true;
}

bool reading_returns(struct causal *c, const struct reading *r, struct order_lit guard, uint64_t value) {
  reading_candidates(c, r);
  uint32_t one = NONE, n = 0;
  for (uint32_t i = 0; i < c->candidates.count; i++)
    if (written(c, r, c->candidates.data[i]) == value) one = c->candidates.data[i], n++;
  if (n == 1) reads_from(c, r, one, guard);
  if (n < 2) return n == 1;
  vec_clear(&c->alternatives);
  add_alternatives(c, r, value, true);
  return add_choice(c, guard);
}

bool readings_differ(struct causal *c, const struct reading *r, const uint64_t *values, uint32_t n, struct order_lit guard) {
  vec_clear(&c->alternatives);
  for (uint32_t i = 0; i < n; i++) {
    reading_candidates(c, &r[i]);
    add_alternatives(c, &r[i], values[i], false);
  }
  return add_choice(c, guard);
}
