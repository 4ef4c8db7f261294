#include "predict/moments.h"

#include <string.h>

#include "machine/machine.h"
#include "machine/told.h"

#define NONE UINT32_MAX

void moments_release(struct moments *x) {
  vec_release(&x->all);
  vec_release(&x->ends);
  vec_release(&x->points);
  vec_release(&x->events);
  vec_release(&x->steps);
  vec_release(&x->moved);
  vec_release(&x->places);
  vec_release(&x->next);
}

/* --- the trace --- */

static struct event effectless(const struct event *e) {
  struct event x = {.op = EVENT_YIELD, .flags = e->flags & EVENT_INTERNAL, .choice = e->choice};
  x.thread = e->thread, x.index = e->index, x.site = e->site;
  return x;
}

static void add(struct moments *x, const struct event *e, uint32_t step) {
  *vec_push(&x->events) = machine_is_told(e) ? effectless(e) : *e;
  *vec_push(&x->steps) = step;
}

/* The place of what was told now. */
static uint32_t place(struct moments *x, const struct told *told) {
  uint32_t n = (uint32_t)x->events.count;
  if (!told->alone || n == 0) return n - 1;
  struct event e = effectless(&x->events.data[n - 1]);
  if (e.thread != told->event.thread) x->unclear = true;
  e.flags = 0, e.choice = 0, e.site = told->site;
  add(x, &e, x->steps.data[n - 1]);
  return n;
}

/* `t` has the machine's events but for flushes, in the same order. */
static void put_in(struct moments *x, const struct mcr_trace *t, const struct machine *m) {
  uint32_t n, count, from = 0;
  const struct event *trace = machine_trace(m, &n);
  const struct told *told = machine_told(m, &count), *end = told + count;
  for (uint32_t i = 0; i <= n; i++) {
    for (; told < end && told->at <= i; told++) *vec_push(&x->places) = place(x, told);
    if (i == n || trace[i].op == EVENT_FLUSH) continue;
    *vec_push(&x->moved) = (uint32_t)x->events.count;
    add(x, &t->events.data[from], t->steps.data[from]);
    from++;
  }
  *vec_push(&x->moved) = (uint32_t)x->events.count;
  for (uint32_t i = t->n; i < t->n + t->pending; i++) add(x, &t->events.data[i], t->steps.data[i]);
}

/* The trace is the one with the moments in it. */
static void exchange(struct moments *x, struct mcr_trace *t) {
  vec_clear(&t->events);
  vec_clear(&t->steps);
  memcpy(vec_push_n(&t->events, x->events.count), x->events.data, x->events.count * sizeof *x->events.data);
  memcpy(vec_push_n(&t->steps, x->steps.count), x->steps.data, x->steps.count * sizeof *x->steps.data);
  for (size_t i = 0; i < t->flushes.count; i++) {
    struct causal_flush *flush = &t->flushes.data[i];
    flush->event = x->moved.data[flush->event], flush->at = x->moved.data[flush->at];
  }
  t->prefix = x->moved.data[t->prefix];
  t->n = x->moved.data[t->n];
}

/* --- moments --- */

/* Of each that was told, where its thread goes on from there, if it stood. */
static void find_next(struct moments *x, const struct told *told, uint32_t n) {
  uint32_t leaves[THREADS_MAX];
  memset(leaves, 0xff, sizeof leaves);
  vec_clear(&x->next);
  uint32_t *next = vec_push_n(&x->next, n);
  for (uint32_t i = n; i-- > 0;) {
    uint32_t *of = &leaves[told[i].event.thread];
    next[i] = *of;
    *of = told[i].event.what == MONITOR_LEAVES ? x->places.data[i] : NONE;
  }
}

static void add_points(struct moments *x, const struct property *p, const struct told *told, uint32_t i) {
  for (size_t what = 0; what < p->events.count; what++) {
    struct monitor_values values;
    if (!monitor_gives(p, (uint8_t)what, &told->event, &values)) continue;
    struct pattern_point *y = vec_push(&x->all);
    *y = (struct pattern_point){.event = x->places.data[i],
                                .next = x->next.data[i],
                                .thread = told->event.thread,
                                .site = told->site,
                                .what = (uint8_t)what,
                                .exact = true,
                                .given = values.given};
    memcpy(y->values, values.values, sizeof y->values);
  }
}

void moments_take(struct moments *x, struct mcr_trace *t, const struct machine *m) {
  const struct properties *p = machine_options(m)->properties;
  uint32_t n;
  const struct told *told = machine_told(m, &n);
  vec_clear(&x->all);
  vec_clear(&x->ends);
  x->unclear = x->last = false;
  if (!p) return;
  vec_clear(&x->events);
  vec_clear(&x->steps);
  vec_clear(&x->moved);
  vec_clear(&x->places);
  put_in(x, t, m);
  exchange(x, t);
  x->last = n > 0 && told[n - 1].alone && x->places.data[n - 1] + 1 == t->n;
  find_next(x, told, n);
  for (size_t k = 0; k < p->list.count; k++) {
    for (uint32_t i = 0; i < n && !x->unclear; i++)
      if (told[i].event.what != MONITOR_LEAVES) add_points(x, &p->list.data[k], &told[i], i);
    *vec_push(&x->ends) = (uint32_t)x->all.count;
  }
}

static uint32_t first_of(const struct moments *x, uint32_t property) { return property ? x->ends.data[property - 1] : 0; }

uint32_t moments_count(const struct moments *x, uint32_t property, uint32_t to) {
  uint32_t first = first_of(x, property), low = first, high = x->ends.data[property];
  while (low < high) {
    uint32_t middle = low + (high - low) / 2, event = x->all.data[middle].event;
    if (event == NONE || event < to)
      low = middle + 1;
    else
      high = middle;
  }
  return low - first;
}

void moments_of(struct moments *x, uint32_t property, uint32_t from, uint32_t to) {
  uint32_t n = moments_count(x, property, to);
  vec_clear(&x->points);
  struct pattern_point *points = vec_push_n(&x->points, n);
  for (uint32_t i = 0; i < n; i++) {
    points[i] = x->all.data[first_of(x, property) + i];
    points[i].past = points[i].event == NONE || points[i].event < from;
    if (points[i].next >= to) points[i].next = NONE;
  }
}
