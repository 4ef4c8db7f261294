#include "strategy/mcr/needs.h"

#include <string.h>

#include "base/deadline.h"
#include "program/image.h"

#define NONE UINT32_MAX

void mcr_needs_release(struct mcr_needs *n) {
  depend_release(&n->depend);
  vec_release(&n->starts);
  vec_release(&n->reads);
  vec_release(&n->value_starts);
  vec_release(&n->values);
  vec_release(&n->positions);
  hashmap_release(&n->rows);
  vec_release(&n->sets);
  vec_release(&n->stack);
  vec_release(&n->before);
  vec_release(&n->given);
  vec_release(&n->previous);
  vec_release(&n->source_starts);
  vec_release(&n->sources);
  vec_release(&n->work);
  vec_release(&n->stamps);
}

/* --- the dynamic setting --- */

static void clear(struct mcr_needs *n) {
  vec_clear(&n->starts);
  vec_clear(&n->reads);
  vec_clear(&n->value_starts);
  vec_clear(&n->values);
}

static void begin_event(struct mcr_needs *n) {
  *vec_push(&n->starts) = (uint32_t)n->reads.count;
  *vec_push(&n->value_starts) = (uint32_t)n->values.count;
}

/* The trace leaves out what is flushed. */
static void find_positions(struct mcr_needs *n, const struct execution *x) {
  uint32_t count = x->depth ? x->ends[x->depth - 1] : 0, position = 0;
  vec_clear(&n->positions);
  for (uint32_t i = 0; i < count; i++) *vec_push(&n->positions) = x->trace[i].op == EVENT_FLUSH ? NONE : position++;
}

static bool take_dynamic(struct mcr_needs *n, const struct execution *x) {
  find_positions(n, x);
  if (!execution_depend(x, &n->depend)) return false;
  for (uint32_t i = 0; i < n->positions.count; i++) {
    const struct depend *d = &n->depend;
    if (n->positions.data[i] == NONE) continue;
    begin_event(n);
    for (uint32_t k = d->control_starts.data[i]; k < d->control_starts.data[i + 1]; k++)
      *vec_push(&n->reads) = n->positions.data[d->control.data[k]];
    for (uint32_t k = d->value_starts.data[i]; k < d->value_starts.data[i + 1]; k++)
      *vec_push(&n->values) = n->positions.data[d->values.data[k]];
  }
  begin_event(n);
  return true;
}

/* --- the static setting --- */

static bool in_set(const uint64_t *set, uint32_t node) { return set[node >> 6] >> (node & 63) & 1; }

/* All that the node leads to, and itself. */
static const uint64_t *nodes_from(struct mcr_needs *n, const struct image *image, uint32_t node) {
  bool is_new = false;
  n->words = (image->ndepend_first - 1 + 63) / 64;
  size_t row = *hashmap_at(&n->rows, node, n->sets.count, &is_new);
  if (!is_new) return n->sets.data + row;
  uint64_t *set = vec_push_n(&n->sets, n->words);
  memset(set, 0, n->words * sizeof *set);
  *vec_push(&n->stack) = node;
  while (n->stack.count) {
    uint32_t i = vec_pop(&n->stack);
    if (in_set(set, i)) continue;
    set[i >> 6] |= 1ull << (i & 63);
    for (uint32_t k = image->depend_first[i]; k < image->depend_first[i + 1]; k++) *vec_push(&n->stack) = image->depend_edges[k];
  }
  return set;
}

/* Does what leads to this set depend on the read? */
static bool depends_on(const struct image *image, const uint64_t *set, const struct event *read) {
  uint32_t node = image->depend_sites[read->site].read;
  return in_set(set, DEPEND_ALL) || (node != DEPEND_NONE && in_set(set, node));
}

static void give_control(struct mcr_needs *n, const struct mcr_trace *t, const struct image *image, uint32_t event, uint32_t last) {
  const struct event *e = &t->events.data[event];
  const struct image_depend *d = &image->depend_sites[e->site];
  const uint64_t *set = nodes_from(n, image, e->op == EVENT_END ? DEPEND_RESULT : d->control);
  bool all = e->op == EVENT_AWAIT || (e->flags & EVENT_WAITS), stays = !(e->op == EVENT_WRITE && (e->flags & EVENT_BUFFERED));
  for (uint32_t r = last; r != NONE; r = n->before.data[r]) {
    if (n->given.data[r] || !(all || depends_on(image, set, &t->events.data[r]))) continue;
    *vec_push(&n->reads) = r;
    n->given.data[r] = stays;
  }
  /* A wait for a change; a compare-exchange that failed: else it would be another event. */
  if (e->op != EVENT_READ || !(all || d->value != DEPEND_NONE)) return;
  *vec_push(&n->reads) = event;
  n->given.data[event] = true;
}

static bool take_static(struct mcr_needs *n, const struct mcr_trace *t, const struct execution *x) {
  const struct image *image = execution_image(x);
  uint32_t last[THREADS_MAX];
  if (!image || image->ndepend_sites == 0) return false;
  memset(last, 0xff, sizeof last);
  vec_clear(&n->before);
  vec_clear(&n->given);
  for (uint32_t i = 0; i < t->n; i++) {
    const struct event *e = &t->events.data[i];
    begin_event(n);
    *vec_push(&n->before) = last[e->thread];
    *vec_push(&n->given) = false;
    if (deadline_passed) continue;
    give_control(n, t, image, i, last[e->thread]);
    if (e->op == EVENT_READ) last[e->thread] = i;
    if (e->op != EVENT_WRITE && e->op != EVENT_RMW) continue;
    const uint64_t *set = nodes_from(n, image, image->depend_sites[e->site].value);
    for (uint32_t r = last[e->thread]; r != NONE; r = n->before.data[r])
      if (depends_on(image, set, &t->events.data[r])) *vec_push(&n->values) = r;
  }
  begin_event(n);
  return true;
}

const struct causal_needs *mcr_needs_take(struct mcr_needs *n, const struct mcr_trace *t, const struct execution *x,
                                          enum dependency dependency, bool loose) {
  if (dependency == DEPENDENCY_ALL) return NULL;
  clear(n);
  if (!(dependency == DEPENDENCY_STATIC ? take_static(n, t, x) : take_dynamic(n, x))) return NULL;
  n->needs = (struct causal_needs){.starts = n->starts.data,
                                   .reads = n->reads.data,
                                   .value_starts = n->value_starts.data,
                                   .values = n->values.data ? n->values.data : n->value_starts.data,
                                   .loose = loose};
  return &n->needs;
}

/* --- counting --- */

static bool writes(const struct event *e) { return e->op == EVENT_WRITE || e->op == EVENT_RMW; }
static bool reads(const struct event *e) { return e->op == EVENT_READ || e->op == EVENT_RMW; }

static bool same_place(const struct event *a, const struct event *b) { return a->object == b->object && a->size == b->size; }

/* Writes that could give the read this value. */
static void find_sources(struct mcr_needs *n, const struct mcr_trace *t, uint32_t read, uint64_t value) {
  const struct event *r = &t->events.data[read];
  for (uint32_t i = 0; i < t->n; i++) {
    const struct event *w = &t->events.data[i];
    if (!writes(w) || i == read || !same_place(w, r) || (w->thread == r->thread && i > read)) continue;
    if ((w->op == EVENT_RMW ? w->value2 : w->value) == value) *vec_push(&n->sources) = i;
  }
}

void mcr_needs_begin(struct mcr_needs *n, const struct mcr_trace *t) {
  uint32_t last[THREADS_MAX];
  memset(last, 0xff, sizeof last);
  vec_clear(&n->previous);
  vec_clear(&n->source_starts);
  vec_clear(&n->sources);
  for (uint32_t i = 0; i < t->events.count; i++) {
    const struct event *e = &t->events.data[i];
    *vec_push(&n->previous) = last[e->thread];
    last[e->thread] = i;
    if (i < t->n && e->op == EVENT_FORK && e->object < THREADS_MAX) last[e->object] = i;
    *vec_push(&n->source_starts) = (uint32_t)n->sources.count;
    if (i < t->n && i >= t->prefix && reads(e) && !deadline_passed) find_sources(n, t, i, e->value);
  }
  *vec_push(&n->source_starts) = (uint32_t)n->sources.count;
  vec_clear(&n->stamps);
  memset(vec_push_n(&n->stamps, 2 * t->events.count), 0, 2 * t->events.count * sizeof *n->stamps.data);
  n->stamp = 0;
}

static void keep(struct mcr_needs *n, const struct mcr_trace *t, uint32_t read) {
  if (read < t->prefix || n->stamps.data[2 * read + 1] == n->stamp) return;
  n->stamps.data[2 * read + 1] = n->stamp;
  *vec_push(&n->work) = read;
}

/* The event is to happen: with needs, the reads are kept that it depends on, and those behind which it comes. */
static void reach(struct mcr_needs *n, const struct mcr_trace *t, const struct causal_needs *needs, uint32_t event) {
  for (uint32_t i = event; i != NONE && i >= t->prefix && n->stamps.data[2 * i] != n->stamp; i = n->previous.data[i]) {
    n->stamps.data[2 * i] = n->stamp;
    const struct event *e = &t->events.data[i];
    if (i < t->n && (needs ? e->op == EVENT_RMW && i != event : reads(e) && i != event)) keep(n, t, i);
    for (uint32_t k = needs && i < t->n ? needs->starts[i] : 0; needs && i < t->n && k < needs->starts[i + 1]; k++)
      if (needs->reads[k] != event) keep(n, t, needs->reads[k]);
  }
}

/* The read takes its value from one of these: what they need is kept. */
static void count_sources(struct mcr_needs *n, const struct mcr_trace *t, const struct causal_needs *needs, uint32_t from, uint32_t to,
                          uint64_t *pairs) {
  *pairs += to > from ? to - from : 1; /* the first write is what was there before */
  for (uint32_t i = from; i < to; i++) {
    uint32_t w = n->sources.data[i];
    reach(n, t, needs, w);
    if (t->events.data[w].op == EVENT_RMW) keep(n, t, w);
    for (uint32_t v = needs ? needs->value_starts[w] : 0; needs && v < needs->value_starts[w + 1]; v++) keep(n, t, needs->values[v]);
  }
}

void mcr_needs_count(struct mcr_needs *n, const struct mcr_trace *t, const struct causal_needs *needs, uint32_t target, uint64_t value,
                     uint64_t *kept, uint64_t *pairs) {
  uint32_t known = (uint32_t)n->sources.count;
  n->stamp++;
  vec_clear(&n->work);
  n->stamps.data[2 * target + 1] = n->stamp; /* what it is to return is asked */
  reach(n, t, needs, target);
  for (uint32_t i = n->previous.data[target]; needs && !needs->loose && i != NONE && i >= t->prefix; i = n->previous.data[i])
    if (t->events.data[i].thread == t->events.data[target].thread && reads(&t->events.data[i])) keep(n, t, i);
  if (reads(&t->events.data[target])) {
    find_sources(n, t, target, value);
    count_sources(n, t, needs, known, (uint32_t)n->sources.count, pairs);
    n->sources.count = known;
  }
  for (size_t i = 0; i < n->work.count; i++) {
    uint32_t read = n->work.data[i];
    count_sources(n, t, needs, n->source_starts.data[read], n->source_starts.data[read + 1], pairs);
  }
  *kept += n->work.count + 1;
}
