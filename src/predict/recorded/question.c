#include "predict/recorded/question.h"

#include <string.h>

#include "order/order.h"
#include "trace/recorded.h"

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

/* --- the other models --- */

static void put_step(void *data, uint32_t position) {
  struct cautious *c = data;
  c->order.data[position] = c->steps++;
}

static void find_order(struct cautious *c, const struct recorded_model *m, const struct causal *causal) {
  vec_clear(&c->order);
  memset(vec_push_n(&c->order, m->n), 0xff, m->n * sizeof(uint32_t));
  c->steps = 0;
  recorded_model_steps(m, causal, put_step, c);
}

/* Is the witness an order in which memory is given out before it was given back? */
static bool is_reversed(struct cautious *c, const struct recorded_model *m, const struct causal *causal) {
  if (m->reuse.lives.count == 0) return false;
  find_order(c, m, causal);
  return reuse_is_reversed(&m->reuse, c->order.data);
}

/* Events whose place is not known: the read, and all up to the last one that may have written what it returned. */
static bool lacks_write(const struct cautious *c, const struct event *window, uint32_t n, uint32_t read) {
  uint32_t i = read + 1;
  for (; i < n && (window[i].flags & RECORDED_DOUBTFUL); i++) {
    bool may = event_writes(&window[i]) && window[i].thread != window[read].thread && event_overlaps(&window[i], &window[read]);
    if (may && c->order.data[i] == NONE) return true;
  }
  return i == n; /* it may go on behind the window */
}

/* Has somebody read in the witness what nobody has written there yet? */
static bool is_unordered(struct cautious *c, const struct recorded_model *m, const struct causal *causal, const struct event *window) {
  const uint8_t both = RECORDED_DOUBTFUL | RECORDED_UNORDERED;
  bool found = false, ordered = false;
  for (uint32_t i = 0; i < m->n && !found; i++) {
    if ((window[i].flags & both) != both || !event_reads(&window[i])) continue;
    if (!ordered) find_order(c, m, causal);
    ordered = true;
    found = c->order.data[i] != NONE && lacks_write(c, window, m->n, i);
  }
  return found;
}

static struct other *make(struct other *o, bool cautious, const struct recorded_model *m, const struct event *window, uint64_t budget) {
  if (!o->causal) {
    struct causal_options options = {.memory = CAUSAL_SC, .recorded = true, .initial = recorded_model_initial, .data = &o->model};
    o->causal = causal_new(&options);
    o->model.cautious = cautious;
  }
  if (!o->is_made) {
    recorded_model_begin(&o->model, m->state, window, m->n);
    recorded_model_make(&o->model, m->region, m->data);
    struct causal_trace trace = recorded_model_trace(&o->model);
    causal_build(o->causal, &trace);
    o->is_made = true;
  }
  causal_set_budget(o->causal, budget);
  return o;
}

/* The other model's place of one of `m`: of an event of the window, or of an end that neither window has. */
static uint32_t place_there(const struct other *o, const struct recorded_model *m, uint32_t place) {
  if (place == NONE) return NONE;
  if (m->origins.data[place] != NONE) return o->model.places.data[m->origins.data[place]];
  const struct event *e = &m->events.data[place];
  for (uint32_t i = 0; e->op == EVENT_END && i < o->model.events.count; i++) {
    const struct event *x = &o->model.events.data[i];
    if (x->op == EVENT_END && x->thread == e->thread && o->model.origins.data[i] == NONE) return i;
  }
  return NONE;
}

static enum causal_answer arrange(struct cautious *c, const struct recorded_model *m, struct other *o, const struct causal_arrangement *a) {
  uint32_t pairs = a->clauses ? a->starts[a->clauses] : 0;
  bool known = true;
  vec_clear(&c->events), vec_clear(&c->pairs);
  for (uint32_t i = 0; i < a->n; i++) *vec_push(&c->events) = place_there(o, m, a->events[i]), known &= vec_last(&c->events) != NONE;
  for (uint32_t i = 0; i < pairs; i++) {
    struct causal_pair p = {place_there(o, m, a->pairs[i].first), place_there(o, m, a->pairs[i].second)};
    *vec_push(&c->pairs) = p;
    known &= p.first != NONE && p.second != NONE;
  }
  struct causal_arrangement there = *a;
  there.events = c->events.data, there.pairs = c->pairs.data;
  return known ? causal_arrange(o->causal, &there) : CAUSAL_UNKNOWN;
}

/* Either is what is asked. */
struct asked {
  const struct question *q;
  const struct causal_arrangement *a;
};

static bool says_yes(struct cautious *c, const struct recorded_model *m, struct other *o, struct asked x) {
  bool yes = (x.q ? question_put(x.q, &o->model, o->causal) : arrange(c, m, o, x.a)) == CAUSAL_YES;
  if (yes) c->shows = o;
  return yes;
}

static const char *doubts(struct cautious *c, const struct recorded_model *m, const struct causal *causal, const struct event *window,
                          uint64_t budget, struct asked x) {
  const struct recorded_model *at = m;
  c->shows = NULL;
  if (m->trusts || m->unexplained) {
    struct other *o = make(&c->strict, false, m, window, budget);
    if (!says_yes(c, m, o, x)) return m->trusts ? QUESTION_TRUSTS : QUESTION_UNEXPLAINED;
    at = &o->model, causal = o->causal;
  }
  if (is_reversed(c, at, causal)) {
    struct other *o = make(&c->careful, true, m, window, budget);
    if (!says_yes(c, m, o, x)) return QUESTION_REUSES;
    at = &o->model, causal = o->causal;
  }
  return is_unordered(c, at, causal, window) ? QUESTION_UNORDERED : NULL;
}

const char *cautious_doubts(struct cautious *c, const struct recorded_model *m, const struct causal *causal, const struct event *window,
                            uint64_t budget, const struct question *q) {
  return doubts(c, m, causal, window, budget, (struct asked){.q = q});
}

const char *cautious_doubts_order(struct cautious *c, const struct recorded_model *m, const struct causal *causal,
                                  const struct event *window, uint64_t budget, const struct causal_arrangement *a) {
  return doubts(c, m, causal, window, budget, (struct asked){.a = a});
}

void cautious_steps(const struct cautious *c, const struct recorded_model *m, const struct causal *causal,
                    void (*put)(void *data, uint32_t position), void *data) {
  recorded_model_steps(c->shows ? &c->shows->model : m, c->shows ? c->shows->causal : causal, put, data);
}

static uint64_t effort(const struct other *o) { return o->causal ? order_stats(causal_order(o->causal)).effort : 0; }
uint64_t cautious_effort(const struct cautious *c) { return effort(&c->strict) + effort(&c->careful); }

static void release(struct other *o) {
  recorded_model_release(&o->model);
  causal_free(o->causal);
}

void cautious_release(struct cautious *c) {
  release(&c->strict);
  release(&c->careful);
  vec_release(&c->order);
  vec_release(&c->events);
  vec_release(&c->pairs);
}
