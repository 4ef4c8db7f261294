/* Questions about properties: can the events of a case of a pattern come in an order that is an error? */
#include <string.h>

#include "predict/internal.h"

/* Units of cost (predict.c): an event of a property, in a window or before it, to be kept at hand; and each time that it may be one of a
 * pattern's events. */
#define COST_MOMENT 10u
#define COST_MATCH  2u

static enum causal_answer ask_order(void *data, const struct causal_arrangement *order) {
  struct predictor *p = data;
  struct causal *c = predictor_model(p);
  struct causal_arrangement there = *order;
  uint32_t pairs = order->starts[order->clauses];
  vec_clear(&p->ordered);
  vec_clear(&p->ordering);
  for (uint32_t i = 0; i < order->n; i++) *vec_push(&p->ordered) = window_place(&p->window, order->events[i]);
  for (uint32_t i = 0; i < pairs; i++)
    *vec_push(&p->ordering) =
        (struct causal_pair){window_place(&p->window, order->pairs[i].first), window_place(&p->window, order->pairs[i].second)};
  there.events = p->ordered.data, there.pairs = p->ordering.data;
  return predictor_count_answer(p, causal_arrange(c, &there));
}

/* The events' places; two properties may have the same. */
static uint64_t places_of_match(const struct predictor *p, const struct pattern_match *m) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < m->which->natoms; i++)
    if (!m->which->atoms[i].maybe) sum += hash_mix(p->moments.points.data[m->points[i]].site);
  return sum;
}

/* Is it that match which the finding shows? An event behind the match, if one completes it, is its first place. */
static bool shows_match(const struct predictor *p, const struct finding *f, const struct pattern_match *m) {
  uint64_t sum = 0, first = f->sites.count ? hash_mix(f->sites.data[0].site) : 0, wanted = places_of_match(p, m);
  for (size_t i = 0; i < f->sites.count; i++) sum += hash_mix(f->sites.data[i].site);
  return sum == wanted || sum - first == wanted;
}

static bool is_violation(const struct finding *f, const struct property *property) {
  struct text message = {0};
  property_violated_text(property, &message);
  bool same = f && f->kind == FINDING_PROPERTY && strcmp(text_str(&message), text_str(&f->message)) == 0;
  text_release(&message);
  return same;
}

static bool try_match(void *data, const struct pattern_match *m) {
  struct predictor *p = data;
  struct finding own = {0};
  (void)predictor_try_witness(p, WITNESS_BY_THREAD, false);
  if (p->over) return false;
  const struct finding *f = run_finding(p->client->run, &own);
  bool shown = is_violation(f, m->property), same = shown && shows_match(p, f, m);
  finding_release(&own);
  p->counts.confirmed += shown;
  p->counts.unconfirmed += !shown && !predictor_ended_before(p);
  return same;
}

static bool leaves_no_question(void *data) {
  struct predictor *p = data;
  if (predictor_is_over(p)) return true;
  p->counts.left_out += !predictor_can_afford(p);
  return !predictor_can_afford(p);
}

static const struct properties *properties_of(const struct predictor *p) { return machine_options(p->client->run->machine)->properties; }

/* Half of what is left may be spent on choosing what to ask about. */
static void ask_property(struct predictor *p, uint32_t number) {
  uint32_t n = moments_count(&p->moments, number, p->window.to);
  if (n == moments_count(&p->moments, number, p->window.from)) return;
  if (p->spent + (uint64_t)n * COST_MOMENT >= p->limit) {
    p->counts.left_out++;
    return;
  }
  p->spent += (uint64_t)n * COST_MOMENT;
  moments_of(&p->moments, number, p->window.from, p->window.to);
  struct pattern_counts counts = {0};
  const struct pattern_search search = {.property = &properties_of(p)->list.data[number],
                                        .points = p->moments.points.data,
                                        .n = n,
                                        .shown = true,
                                        .looks = (p->limit - p->spent) / (2 * COST_MATCH) + 1,
                                        .ask = ask_order,
                                        .found = try_match,
                                        .is_over = leaves_no_question,
                                        .data = p};
  if (!p->patterns) p->patterns = pattern_memory_new();
  pattern_find(p->patterns, &search, &counts);
  p->spent += counts.looks * COST_MATCH;
  p->counts.left_out += counts.left_out;
}

void predictor_ask_properties(struct predictor *p) {
  for (uint32_t i = 0; i < p->moments.ends.count && !predictor_is_over(p); i++) ask_property(p, i);
}
