#include "predict/recorded/patterns.h"

#include <string.h>

#include "base/deadline.h"
#include "predict/recorded/model.h"
#include "predict/recorded/question.h"
#include "predict/recorded/reading.h"

#define NONE RECORDED_NONE

struct patterns {
  struct patterns_options options;
  const struct property *property;
  struct recorded_state state; /* before the window */
  struct property_calls calls; /* likewise */
  struct recorded_model model;
  struct causal *causal;
  struct cautious cautious;
  const char *claimed; /* why the present answer is no proof */
  struct pattern_memory *memory;
  struct recorded_reading reading;   /* of events of the run */
  struct property_points points;     /* the window, with its points */
  VEC(struct pattern_point) moments; /* those of the past, then those of the window */
  VEC(struct recorded_step) origins; /* of each moment */
  size_t past;                       /* moments that are */
  VEC(struct patterns_finding) findings;
  VEC(struct recorded_step) events;
  VEC(uint32_t) choices;
  struct pattern_counts counts;
};

struct patterns *patterns_new(const struct patterns_options *options) {
  struct patterns *p = mem_alloc(sizeof *p);
  *p = (struct patterns){.options = *options};
  if (p->options.window == 0) p->options.window = PATTERNS_WINDOW;
  if (p->options.budget == 0) p->options.budget = PATTERNS_BUDGET;
  struct causal_options causal = {
      .memory = CAUSAL_SC, .recorded = true, .budget = p->options.budget, .initial = recorded_model_initial, .data = &p->model};
  p->causal = causal_new(&causal);
  p->model.trusting = true;
  return p;
}

void patterns_free(struct patterns *p) {
  if (!p) return;
  recorded_state_release(&p->state);
  recorded_model_release(&p->model);
  causal_free(p->causal);
  cautious_release(&p->cautious);
  pattern_memory_free(p->memory);
  property_calls_release(&p->calls);
  property_points_release(&p->points);
  vec_release(&p->reading.buffer);
  vec_release(&p->moments);
  vec_release(&p->origins);
  vec_release(&p->findings);
  vec_release(&p->events);
  vec_release(&p->choices);
  mem_free(p, sizeof *p);
}

const struct patterns_finding *patterns_findings(const struct patterns *p, uint32_t *n) {
  *n = (uint32_t)p->findings.count;
  return p->findings.data;
}
const struct recorded_step *patterns_events(const struct patterns *p) { return p->events.data; }
struct pattern_counts patterns_counts(const struct patterns *p) {
  return p->counts;
}
const struct property_points *patterns_points(const struct patterns *p) { return &p->points; }
const uint32_t *patterns_choices(const struct patterns *p) { return p->choices.data; }

/* --- what was found --- */

/* As the run has it: the event, or for a point the one that it stands before or behind. */
static struct recorded_step origin_of(const struct patterns *p, uint32_t position) {
  uint32_t origin = p->points.origin.data[position];
  return recorded_step_of(&p->reading.buffer.data[origin], p->state.events + origin);
}

static void add_step(void *data, uint32_t position) {
  struct patterns *p = data;
  if (p->points.events.data[position].op != RECORDED_POINT) *vec_push(&p->events) = origin_of(p, position);
}

static void add_finding(struct patterns *p, const struct pattern_match *m, bool undecided) {
  struct patterns_finding *f = vec_push(&p->findings);
  *f = (struct patterns_finding){.property = m->property, .undecided = undecided, .from = p->state.events, .bound = m->bound};
  f->which = (uint32_t)(m->which - m->property->cases.data);
  memcpy(f->values, m->values, sizeof f->values);
  f->event = (uint32_t)p->events.count;
  for (unsigned i = 0; i < m->which->natoms; i++)
    if (!m->which->atoms[i].maybe) *vec_push(&p->events) = p->origins.data[m->points[i]];
  f->events = (uint32_t)p->events.count - f->event;
  f->step = (uint32_t)p->events.count;
  if (!undecided) cautious_steps(&p->cautious, &p->model, p->causal, add_step, p);
  f->steps = (uint32_t)p->events.count - f->step;
  uint32_t *choice = vec_push_n(&p->choices, PROPERTY_ATOMS);
  for (unsigned i = 0; i < PROPERTY_ATOMS; i++) choice[i] = i < m->which->natoms ? m->points[i] : UINT32_MAX;
}

static bool same_places(const struct patterns *p, const struct patterns_finding *a, const struct patterns_finding *b) {
  uint64_t sums[2] = {0, 0};
  for (uint32_t i = 0; i < a->events; i++) sums[0] += hash_mix(p->events.data[a->event + i].site);
  for (uint32_t i = 0; i < b->events; i++) sums[1] += hash_mix(p->events.data[b->event + i].site);
  return a->property == b->property && sums[0] == sums[1];
}

/* What was undecided at these places is found now: the finding takes its place. */
static void replace_undecided(struct patterns *p) {
  struct patterns_finding *last = &vec_last(&p->findings);
  for (struct patterns_finding *f = p->findings.data; f < last; f++) {
    if (!f->undecided || !same_places(p, f, last)) continue;
    size_t at = (size_t)(f - p->findings.data), from = p->findings.count - 1;
    *f = *last;
    memcpy(p->choices.data + at * PROPERTY_ATOMS, p->choices.data + from * PROPERTY_ATOMS, PROPERTY_ATOMS * sizeof p->choices.data[0]);
    p->findings.count--, p->choices.count -= PROPERTY_ATOMS;
    return;
  }
}

/* A yes that may not be noticed to be none is asked again, of the cautious model (question.h). */
static enum causal_answer ask(void *data, const struct causal_arrangement *order) {
  struct patterns *p = data;
  enum causal_answer answer = causal_arrange(p->causal, order);
  bool yes = answer == CAUSAL_YES;
  p->claimed = yes ? cautious_doubts_order(&p->cautious, &p->model, p->causal, p->points.events.data, p->options.budget, order) : NULL;
  return answer;
}

static bool found(void *data, const struct pattern_match *m) {
  struct patterns *p = data;
  add_finding(p, m, false);
  vec_last(&p->findings).claimed = p->claimed;
  if (!p->options.all) replace_undecided(p);
  return true;
}
static void undecided(void *data, const struct pattern_match *m) { add_finding(data, m, true); }

/* --- windows --- */

/* Of each event of the window, the place of what shows that its thread has gone on: of the first thing that the model has at, or behind,
 * the thread's next event that is no point. */
static void find_next(const struct patterns *p, uint32_t *next) {
  uint32_t behind[THREADS_MAX], gone_on[THREADS_MAX];
  memset(behind, 0xff, sizeof behind);
  for (size_t i = 0; i < p->model.events.count; i++) /* an end that the window does not have */
    if (p->model.events.data[i].op == EVENT_END && p->model.origins.data[i] == NONE) behind[p->model.events.data[i].thread] = (uint32_t)i;
  memcpy(gone_on, behind, sizeof behind);
  for (size_t i = p->points.events.count; i-- > 0;) {
    const struct event *e = &p->points.events.data[i];
    uint32_t tid = (uint32_t)*hashmap_find(&p->model.tids, e->thread), place = p->model.places.data[i];
    next[i] = gone_on[tid];
    if (place != NONE) behind[tid] = place;
    if (e->op < EVENT_COUNT) gone_on[tid] = behind[tid];
  }
}

/* The address, in that life (lives.h), of the access that a point is of; 0: it is of none. A point stands beside its event, with other
 * points between. */
static uint64_t memory_of(const struct patterns *p, uint32_t position) {
  uint32_t origin = p->points.origin.data[position];
  for (size_t i = position; i < p->points.events.count && p->points.origin.data[i] == origin; i++)
    if (p->points.events.data[i].op != RECORDED_POINT) position = (uint32_t)i;
  for (size_t i = position + 1; i-- > 0 && p->points.origin.data[i] == origin;)
    if (p->points.events.data[i].op != RECORDED_POINT) position = (uint32_t)i;
  const struct event *e = &p->model.window[position];
  return e->op == EVENT_READ || e->op == EVENT_WRITE || e->op == EVENT_RMW ? e->object : 0;
}

static void add_moments(struct patterns *p) {
  VEC(uint32_t) next = {0};
  find_next(p, vec_push_n(&next, p->points.events.count));
  for (size_t i = 0; i < p->points.points.count; i++) {
    const struct property_point *from = &p->points.points.data[i];
    const struct event *e = &p->points.events.data[from->position];
    uint32_t event = p->model.places.data[from->position];
    uint64_t memory = memory_of(p, from->position);
    struct pattern_point *to = vec_push(&p->moments);
    *to = (struct pattern_point){.event = event,
                                 .next = next.data[from->position],
                                 .address = memory & ((1ull << LIVES_SHIFT) - 1),
                                 .block = memory >> LIVES_SHIFT,
                                 .thread = e->thread,
                                 .site = e->site,
                                 .what = from->what,
                                 .exact = from->exact,
                                 .given = from->given};
    memcpy(to->values, from->values, sizeof to->values);
    *vec_push(&p->origins) = origin_of(p, from->position);
    vec_last(&p->origins).what = from->what;
  }
  vec_release(&next);
}

/* Of what is `doubtful` nothing is asked, but its moments will have been. */
static void look_at(struct patterns *p, bool doubtful) {
  recorded_model_make(&p->model, NULL, NULL);
  cautious_begin(&p->cautious);
  struct causal_trace trace = recorded_model_trace(&p->model);
  causal_build(p->causal, &trace);
  add_moments(p);
  struct pattern_search search = {.property = p->property,
                                  .points = p->moments.data,
                                  .n = (uint32_t)p->moments.count,
                                  .all = p->options.all,
                                  .ask = ask,
                                  .found = found,
                                  .undecided = undecided,
                                  .data = p};
  if (p->moments.count > p->past && !doubtful) pattern_find(p->memory, &search, &p->counts);
}

/* The first `n` events of the buffer, and their moments, are of the past from now on. */
static void pass(struct patterns *p, uint32_t n) {
  size_t kept = p->past;
  for (size_t i = p->past; i < p->moments.count; i++) {
    if (p->origins.data[i].position >= p->state.events + n) continue;
    p->origins.data[kept] = p->origins.data[i];
    p->moments.data[kept] = p->moments.data[i];
    p->moments.data[kept++].past = true;
  }
  p->past = p->moments.count = p->origins.count = kept;
  for (uint32_t i = 0; i < n; i++) recorded_state_take(&p->state, &p->reading.buffer.data[i]);
  for (uint32_t i = 0; i < n; i++) property_calls_take(&p->calls, &p->reading.buffer.data[i]);
  recorded_reading_pass(&p->reading, n);
}

static void begin(struct patterns *p, const struct property *property) {
  p->property = property;
  recorded_state_release(&p->state);
  p->state = (struct recorded_state){0};
  property_calls_release(&p->calls);
  vec_clear(&p->reading.buffer);
  p->reading.ended = false;
  vec_clear(&p->moments);
  vec_clear(&p->origins);
  p->past = 0;
  pattern_memory_free(p->memory);
  p->memory = pattern_memory_new();
}

enum err patterns_run(struct patterns *p, const struct property *property, const char *file, struct recorded_stream *s) {
  enum err e = ERR_NONE;
  begin(p, property);
  while (!e && !deadline_passed && recorded_reading_fill(&p->reading, s, p->options.window)) {
    uint32_t doubtful = recorded_reading_doubtful(&p->reading);
    uint32_t n = recorded_model_fits(&p->model, &p->state, p->reading.buffer.data, (uint32_t)p->reading.buffer.count);
    if (n == 0) {
      p->counts.left_out++; /* too many threads take part in one event */
      pass(p, 1);
      continue;
    }
    do {
      e = property_points_find(&p->points, property, file, &p->calls, p->reading.buffer.data, n, s->names, s->d);
    } while (!e && recorded_model_begin(&p->model, &p->state, p->points.events.data, (uint32_t)p->points.events.count) == UINT64_MAX &&
             (n /= 2) > 0);
    if (e) break;
    look_at(p, doubtful > 0);
    uint32_t passes = recorded_reading_passes(&p->reading, n);
    pass(p, doubtful && doubtful < passes ? doubtful : passes);
  }
  return e ? e : s->e;
}
