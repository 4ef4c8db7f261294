#include "predict/recorded/question.h"

#include <string.h>

#include "order/order.h"

#define NONE RECORDED_NONE

/* --- a question --- */

static enum causal_answer ask_cycle(const uint32_t *places, uint32_t n, struct causal *c) {
  struct causal_cycle cycle = {.n = n};
  memcpy(cycle.acquires, places, n * sizeof *places);
  return causal_deadlock(c, &cycle);
}

/* The place up to which the thread goes on is the model's own. */
static enum causal_answer ask_pointer(const struct question *q, const struct recorded_model *m, struct causal *c) {
  for (size_t i = 0; i < m->pointers.count; i++) {
    const struct recorded_pointer *p = &m->pointers.data[i];
    if (p->branch == q->positions[0] && p->read == q->positions[1]) return causal_goes_on(c, m->places.data[p->read], 0, p->to);
  }
  return CAUSAL_UNKNOWN;
}

enum causal_answer question_put(const struct question *q, const struct recorded_model *m, struct causal *c) {
  uint32_t at[CAUSAL_CYCLE] = {0};
  if (q->kind == FINDING_NULL_DEREFERENCE) return ask_pointer(q, m, c);
  for (uint32_t i = 0; i < q->n; i++) {
    at[i] = m->places.data[q->positions[i]];
    if (at[i] == NONE) return CAUSAL_UNKNOWN;
  }
  if (q->kind == FINDING_USE_AFTER_FREE) return causal_use_after_free(c, at[0], at[1]);
  if (q->kind == FINDING_DEADLOCK) return ask_cycle(at, q->n, c);
  if (q->kind == FINDING_ATOMICITY_VIOLATION) return causal_between(c, at[0], at[1], at[2]);
  if (q->kind == FINDING_LOST_WAKEUP) return causal_lost(c, at[0]);
  return causal_race(c, at[0], at[1]);
}

/* --- the other model --- */

static void put_step(void *data, uint32_t position) {
  struct cautious *c = data;
  c->order.data[position] = c->steps++;
}

/* Is the witness an order in which memory is given out before it was given back? */
static bool should_ask(struct cautious *c, const struct recorded_model *m, const struct causal *causal) {
  c->has_witness = false;
  if (m->reuse.lives.count == 0) return false;
  vec_clear(&c->order);
  memset(vec_push_n(&c->order, m->n), 0xff, m->n * sizeof(uint32_t));
  c->steps = 0;
  recorded_model_steps(m, causal, put_step, c);
  return reuse_is_reversed(&m->reuse, c->order.data);
}

static struct causal *causal_of(struct cautious *c, const struct recorded_model *m, const struct event *window, uint64_t budget) {
  if (!c->causal) {
    struct causal_options options = {.memory = CAUSAL_SC, .recorded = true, .initial = recorded_model_initial, .data = &c->model};
    c->causal = causal_new(&options);
    c->model.cautious = true;
  }
  if (!c->is_made) {
    recorded_model_begin(&c->model, m->state, window, m->n);
    recorded_model_make(&c->model, m->region, m->data);
    struct causal_trace trace = recorded_model_trace(&c->model);
    causal_build(c->causal, &trace);
    c->is_made = true;
  }
  causal_set_budget(c->causal, budget);
  return c->causal;
}

/* The other model's place of one of `m`: of an event of the window, or of an end that neither window has. */
static uint32_t place_there(const struct cautious *c, const struct recorded_model *m, uint32_t place) {
  if (place == NONE) return NONE;
  if (m->origins.data[place] != NONE) return c->model.places.data[m->origins.data[place]];
  const struct event *e = &m->events.data[place];
  for (uint32_t i = 0; e->op == EVENT_END && i < c->model.events.count; i++) {
    const struct event *x = &c->model.events.data[i];
    if (x->op == EVENT_END && x->thread == e->thread && c->model.origins.data[i] == NONE) return i;
  }
  return NONE;
}

static enum causal_answer arrange(struct cautious *c, const struct recorded_model *m, struct causal *other,
                                  const struct causal_arrangement *a) {
  uint32_t pairs = a->clauses ? a->starts[a->clauses] : 0;
  bool known = true;
  vec_clear(&c->events), vec_clear(&c->pairs);
  for (uint32_t i = 0; i < a->n; i++) *vec_push(&c->events) = place_there(c, m, a->events[i]), known &= vec_last(&c->events) != NONE;
  for (uint32_t i = 0; i < pairs; i++) {
    struct causal_pair p = {place_there(c, m, a->pairs[i].first), place_there(c, m, a->pairs[i].second)};
    *vec_push(&c->pairs) = p;
    known &= p.first != NONE && p.second != NONE;
  }
  struct causal_arrangement there = *a;
  there.events = c->events.data, there.pairs = c->pairs.data;
  return known ? causal_arrange(other, &there) : CAUSAL_UNKNOWN;
}

bool cautious_doubts(struct cautious *c, const struct recorded_model *m, const struct causal *causal, const struct event *window,
                     uint64_t budget, const struct question *q) {
  if (!should_ask(c, m, causal)) return false;
  struct causal *other = causal_of(c, m, window, budget);
  c->has_witness = question_put(q, &c->model, other) == CAUSAL_YES;
  return !c->has_witness;
}

bool cautious_doubts_order(struct cautious *c, const struct recorded_model *m, const struct causal *causal, const struct event *window,
                           uint64_t budget, const struct causal_arrangement *a) {
  if (!should_ask(c, m, causal)) return false;
  struct causal *other = causal_of(c, m, window, budget);
  c->has_witness = arrange(c, m, other, a) == CAUSAL_YES;
  return !c->has_witness;
}

void cautious_steps(const struct cautious *c, const struct recorded_model *m, const struct causal *causal,
                    void (*put)(void *data, uint32_t position), void *data) {
  recorded_model_steps(c->has_witness ? &c->model : m, c->has_witness ? c->causal : causal, put, data);
}

uint64_t cautious_effort(const struct cautious *c) { return c->causal ? order_stats(causal_order(c->causal)).effort : 0; }

void cautious_release(struct cautious *c) {
  recorded_model_release(&c->model);
  causal_free(c->causal);
  vec_release(&c->order);
  vec_release(&c->events);
  vec_release(&c->pairs);
}
