/* Which results a read could have, by what is cheap to know. */
#include "causal/internal.h"

struct results {
  uint64_t *out, was;
  uint32_t most, n;
  bool any; /* `was` is a possible result, too */
};

static void add(struct results *x, uint64_t value) {
  if (value == x->was && !x->any) return;
  for (uint32_t i = 0; i < x->n && i < x->most; i++)
    if (x->out[i] == value) return;
  if (x->n < x->most) x->out[x->n] = value;
  x->n++;
}

/* The values that cells `i` and on of the access could have, put to those of the cells before it. */
static bool add_cells(struct causal *c, struct results *x, uint32_t event, uint32_t i, uint64_t value) {
  const struct event *e = &c->trace[event];
  const struct location *at = &c->locations.data[c->info.data[event].location];
  if (i == at->cells) {
    add(x, value);
    return x->n <= x->most;
  }
  const struct cell *cell = &c->cells.data[at->cell + i];
  uint64_t there;
  if (step_leaves(c, cell, event, &there)) return add_cells(c, x, event, i + 1, value | there << (8 * (cell->address - e->object)));
  struct reading r = {.cell = cell, .place = place_of(c, event), .slot = c->info.data[event].slot};
  r.position = cell_position(c, cell, r.place);
  reading_candidates(c, &r);
  bool all = cell->known || !reading_may_be_initial(c, &r);
  size_t from = c->values.count;
  for (uint32_t k = 0; k < c->candidates.count; k++) {
    uint32_t write = c->candidates.data[k];
    uint64_t v = write == NONE ? cell->initial : c->entries.data[cell->first + write].written;
    bool known = false;
    for (size_t j = from; j < c->values.count; j++) known |= c->values.data[j] == v;
    if (!known) *vec_push(&c->values) = v;
  }
  size_t to = c->values.count;
  for (size_t k = from; k < to; k++) all &= add_cells(c, x, event, i + 1, value | c->values.data[k] << (8 * (cell->address - e->object)));
  c->values.count = from;
  return all;
}

static bool add_sets(struct causal *c, struct results *x, uint32_t event) {
  const struct object *cond = object_at(c, c->trace[event].object);
  uint64_t threads = 0;
  for (uint32_t i = 0; i < cond->parts; i++) threads |= 1ull << c->threads.data[c->waits.data[cond->part + i].slot].tid;
  if (c->trace[event].op == EVENT_SIGNAL) {
    add(x, 0);
    for (uint64_t rest = threads; rest; rest &= rest - 1) add(x, rest & -rest);
    return true;
  }
  if ((uint32_t)__builtin_popcountll(threads) > CAUSAL_WAITERS) return false;
  for (uint64_t set = threads;; set = (set - 1) & threads) {
    add(x, set);
    if (set == 0) return true;
  }
}

static bool add_results(struct causal *c, struct results *x, uint32_t event) {
  const struct event *e = &c->trace[event];
  if (e->op == EVENT_READ || e->op == EVENT_RMW) {
    const struct location *at = &c->locations.data[c->info.data[event].location];
    if (c->components.data[at->component].frozen || e->size > 8) return false;
    vec_clear(&c->values);
    return add_cells(c, x, event, 0, 0);
  }
  if (e->op == EVENT_CHOICE)
    for (uint64_t v = 0; v < e->size; v++) add(x, v);
  if (e->op == EVENT_CHOICE) return true;
  const struct object *object = e->op == EVENT_JOIN ? NULL : object_at(c, e->object);
  if (e->op != EVENT_JOIN && (!object || object->frozen)) return false; /* none: what is pending would be its first operation */
  if (e->op == EVENT_SIGNAL || e->op == EVENT_BROADCAST) return add_sets(c, x, event);
  add(x, !x->was);
  return true;
}

static void add_to(void *results, uint64_t value) { add(results, value); }

uint32_t causal_values(struct causal *c, uint32_t r, uint64_t *out, uint32_t most, bool *all) {
  struct results x = {.out = out, .most = most, .any = r >= c->n};
  if (all) *all = true;
  if (!causal_is_read(&c->trace[r], &x.was)) return 0;
  if (quick_values(c, r, add_to, &x)) return x.n;
  prepare(c);
  bool known = add_results(c, &x, r);
  if (all) *all = known && !c->approximate;
  return x.n;
}
