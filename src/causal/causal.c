#include "causal/causal.h"

#include <string.h>

#include "causal/internal.h"

struct causal *causal_new(const struct causal_options *options) {
  struct causal *c = mem_alloc(sizeof *c);
  c->options = *options;
  if (c->options.budget == 0) c->options.budget = ORDER_UNBOUNDED;
  c->order = order_new(ORDER_ENGINE, NULL);
  return c;
}

void causal_free(struct causal *c) {
  if (!c) return;
  order_free(c->order);
  vec_release(&c->info);
  vec_release(&c->threads);
  vec_release(&c->pending);
  vec_release(&c->locations);
  vec_release(&c->components);
  vec_release(&c->cells);
  vec_release(&c->entries);
  vec_release(&c->objects);
  vec_release(&c->operations);
  vec_release(&c->sections);
  vec_release(&c->waits);
  vec_release(&c->pairings);
  vec_release(&c->pairs);
  hashmap_release(&c->index);
  vec_release(&c->sorted);
  vec_release(&c->clause);
  vec_release(&c->alternatives);
  vec_release(&c->numbers);
  vec_release(&c->moments);
  vec_release(&c->candidates);
  vec_release(&c->values);
  vec_release(&c->linear);
  vec_release(&c->position);
  vec_release(&c->work);
  vec_release(&c->closure);
  vec_release(&c->must);
  vec_release(&c->parts);
  vec_release(&c->quick);
  vec_release(&c->writes);
  vec_release(&c->chained);
  vec_release(&c->origins.ordinals);
  vec_release(&c->origins.starts);
  vec_release(&c->origins.members);
  vec_release(&c->origins.sources);
  vec_release(&c->origins.values);
  vec_release(&c->origins.rows);
  vec_release(&c->origins.pasts);
  vec_release(&c->origins.reads);
  vec_release(&c->event_at);
  vec_release(&c->wanted);
  vec_release(&c->steps);
  mem_free(c, sizeof *c);
}

static void forget(struct causal *c) {
  for (size_t i = 0; i < c->threads.count; i++) c->slot_of[c->threads.data[i].tid] = 0;
  vec_clear(&c->info);
  vec_clear(&c->threads);
  vec_clear(&c->pending);
  vec_clear(&c->locations);
  vec_clear(&c->components);
  vec_clear(&c->cells);
  vec_clear(&c->entries);
  vec_clear(&c->objects);
  vec_clear(&c->operations);
  vec_clear(&c->sections);
  vec_clear(&c->waits);
  vec_clear(&c->pairings);
  vec_clear(&c->pairs);
  vec_clear(&c->steps);
  c->limit = NULL;
  c->approximate = c->guarded = false;
}

void causal_build(struct causal *c, const struct causal_trace *trace) {
  forget(c);
  c->trace = trace->events, c->n = trace->n, c->all = trace->n + trace->pending, c->prefix = trace->prefix, c->needs = trace->needs;
  c->kept = trace->kept;
  c->cut = trace->cut && trace->n > trace->prefix;
  c->flushes = trace->flushes, c->flush_count = trace->flush_count;
  c->is_built = false;
  places_number(c);
  quick_build(c);
}

void prepare(struct causal *c) {
  if (c->is_built) return;
  places_build(c);
  objects_build(c);
  memory_finish(c);
  c->is_built = true;
}

const char *causal_limit(struct causal *c) {
  prepare(c);
  return c->limit;
}
void causal_set_budget(struct causal *c, uint64_t budget) { c->options.budget = budget ? budget : ORDER_UNBOUNDED; }
bool causal_gave_up(const struct causal *c) { return c->gave_up; }
struct order *causal_order(struct causal *c) {
  return c->order;
}

void clause2(struct causal *c, struct order_lit a, struct order_lit b) { order_clause(c->order, (struct order_lit[]){a, b}, 2); }

void clause3(struct causal *c, struct order_lit a, struct order_lit b, struct order_lit d) {
  order_clause(c->order, (struct order_lit[]){a, b, d}, 3);
}

void limited(struct causal *c, const char *why) {
  if (!c->limit) c->limit = why;
}

struct order_lit unless_exact(struct causal *c) {
  if (!c->guarded) {
    c->exact = order_var(c->order);
    order_phase(c->order, c->exact);
    c->guarded = true;
  }
  return order_not(c->exact);
}

void keep_order(struct causal *c, uint32_t a, uint32_t b) {
  uint32_t from = place_of(c, a), to = place_of(c, b);
  if (from == to || before(c, from, to)) return;
  *vec_push(&c->pairs) = (struct pair){a, b};
  clause2(c, unless_exact(c), less(c, from, to));
}

void keep_out(struct causal *c, uint32_t event) {
  if (event >= c->prefix) clause2(c, unless_exact(c), outside(c, place_of(c, event)));
}
