#include "happens/history.h"

#include <string.h>

#include "happens/history_chain.h"

void history_init(struct history *h) {
  *h = (struct history){.width = 4};
  memset(h->last, 0xff, sizeof h->last);
  memset(h->forked, 0xff, sizeof h->forked);
}

void history_release(struct history *h) {
  vec_release(&h->steps);
  vec_release(&h->clocks);
  vec_release(&h->events);
  vec_release(&h->records);
  vec_release(&h->chains);
  vec_release(&h->owners);
  vec_release(&h->dependent);
  vec_release(&h->races);
  vec_release(&h->enablers);
  vec_release(&h->excluded);
  vec_release(&h->scratch);
  vec_release(&h->forked_before);
  mem_free(h->keys, h->cap * sizeof *h->keys);
  mem_free(h->ids, h->cap * sizeof *h->ids);
  *h = (struct history){0};
}

void history_clear(struct history *h) {
  history_pop(h, 0);
  vec_clear(&h->chains);
  vec_clear(&h->owners);
  if (h->ids) memset(h->ids, 0, h->cap * sizeof *h->ids);
}

bool history_dependent(const struct event *a, uint32_t na, const struct event *b, uint32_t nb) {
  for (uint32_t i = 0; i < na; i++) {
    if (a[i].op == EVENT_ATOMIC) continue; /* its own events follow */
    for (uint32_t j = 0; j < nb; j++) {
      if (b[j].op != EVENT_ATOMIC && event_dependent(&a[i], &b[j])) return true;
    }
  }
  return false;
}

static bool fills_barrier_of(const struct event *executed, const struct event *sleeping) {
  return executed->op == EVENT_BARRIER_ENTER && executed->value2 && sleeping->op == EVENT_BARRIER_ENTER &&
         executed->object == sleeping->object;
}

bool history_wakes(const struct event *sleeping, uint32_t ns, const struct event *executed, uint32_t ne) {
  for (uint32_t i = 0; i < ns; i++) {
    for (uint32_t j = 0; j < ne; j++) {
      if (fills_barrier_of(&executed[j], &sleeping[i])) return true;
    }
  }
  return history_dependent(sleeping, ns, executed, ne);
}

/* Makes clocks wide enough for a thread. Rare: widths double. */
static void widen(struct history *h, uint32_t thread) {
  if (thread < h->width) return;
  uint32_t old = h->width, n = (uint32_t)h->steps.count;
  while (h->width <= thread) h->width *= 2;
  h->clocks.count = 0;
  vec_reserve(&h->clocks, (size_t)n * h->width);
  h->clocks.count = (size_t)n * h->width;
  for (uint32_t i = n; i-- > 0;) { /* upwards in memory: from the end */
    uint32_t *to = &h->clocks.data[(size_t)i * h->width];
    memmove(to, &h->clocks.data[(size_t)i * old], old * sizeof *to);
    memset(to + old, 0, (h->width - old) * sizeof *to);
  }
}

static inline uint32_t *clock_of(struct history *h, uint32_t step) { return &h->clocks.data[(size_t)step * h->width]; }

static inline void join(uint32_t *to, const uint32_t *from, uint32_t width) {
  for (uint32_t t = 0; t < width; t++) to[t] = to[t] > from[t] ? to[t] : from[t];
}

/* Latest first, one entry a step; NO wins over MAYBE over YES where two pairs of events of the same steps differ. */
static void sort_candidates(struct history *h) {
  struct history_candidate *c = h->dependent.data;
  uint32_t n = (uint32_t)h->dependent.count, kept = 0;
  for (uint32_t i = 1; i < n; i++) {
    struct history_candidate x = c[i];
    uint32_t j = i;
    for (; j > 0 && c[j - 1].step < x.step; j--) c[j] = c[j - 1];
    c[j] = x;
  }
  for (uint32_t i = 0; i < n; i++) {
    if (kept == 0 || c[kept - 1].step != c[i].step) {
      c[kept++] = c[i];
    } else if (c[i].reversal == REVERSAL_NO || c[kept - 1].reversal == REVERSAL_YES) {
      c[kept - 1].reversal = c[i].reversal;
    }
  }
  h->dependent.count = kept;
}

/* From the steps that a new step depends on to its clock and its races. `clock` is that of the thread's step before. A race is with a
 * step that is not ordered before by a later race: reversing that one first leads to it. */
static void settle_clock(struct history *h, uint32_t *clock) {
  vec_clear(&h->races);
  if (h->dependent.count == 0) return;
  if (h->dependent.count > 1) sort_candidates(h);
  bool simple = true;
  for (size_t i = 0; i < h->dependent.count; i++) simple &= h->dependent.data[i].reversal == REVERSAL_YES;
  uint32_t *stopped = clock;
  if (!simple) {
    vec_clear(&h->scratch);
    stopped = vec_push_n(&h->scratch, h->width);
    memcpy(stopped, clock, h->width * sizeof *stopped);
  }
  for (size_t i = 0; i < h->dependent.count; i++) {
    const struct history_candidate *c = &h->dependent.data[i];
    const struct history_step *e = &h->steps.data[c->step];
    if (c->reversal != REVERSAL_NO && stopped[e->thread] < e->index) *vec_push(&h->races) = c->step;
    if (!simple && c->reversal == REVERSAL_YES) join(stopped, clock_of(h, c->step), h->width);
    if (clock[e->thread] < e->index) join(clock, clock_of(h, c->step), h->width);
  }
}

/* The end of an execution depends on everything before it. */
static void depend_on_all(struct history *h, uint32_t thread, const struct event *first, uint32_t previous) {
  for (uint32_t t = 0; t < h->width; t++) {
    if (t == thread || h->last[t] == NO_STEP) continue;
    enum reversal r = history_reversal(h, h->last[t], NULL, first, previous, false);
    *vec_push(&h->dependent) = (struct history_candidate){h->last[t], r};
  }
}

/* The step that made the event `index` of `thread`. */
static uint32_t step_of_event(const struct history *h, uint32_t thread, uint32_t index) {
  uint32_t i = h->last[thread];
  while (i != NO_STEP && h->events.data[h->steps.data[i].first_event].index > index) i = h->steps.data[i].previous;
  return i;
}

static const struct event *first_of(const struct history *h, uint32_t step) { return &h->events.data[h->steps.data[step].first_event]; }

/* The newest flush by the agent that `first` waited for, or NO_STEP. */
static uint32_t flush_before(const struct history *h, uint32_t agent, const struct event *first) {
  uint32_t i = h->last[agent];
  if (i == NO_STEP || agent == first->thread) return NO_STEP;
  const struct event *flush = first_of(h, i);
  if (event_flushes_for(flush, first)) return event_drains(first) ? i : NO_STEP;
  if (first->op != EVENT_FLUSH || flush->op != EVENT_FLUSH || flush_thread(flush) != flush_thread(first)) return NO_STEP;
  while (i != NO_STEP && !(flush_store(first_of(h, i)) < flush_store(first) && event_dependent(first_of(h, i), first)))
    i = h->steps.data[i].previous;
  return i;
}

static void enabled_by(struct history *h, uint32_t step) {
  if (step == NO_STEP) return;
  *vec_push(&h->enablers) = step;
  if (h->since == NO_STEP || step > h->since) h->since = step;
}

/* Finds the enablers, and joins them to the clock. A bound on preemptions needs to know of them as dependent steps; nothing else does. */
static void join_enablers(struct history *h, const struct event *first, uint32_t *clock, uint32_t previous) {
  vec_clear(&h->enablers);
  h->since = previous;
  h->buffers |= first->op == EVENT_FLUSH;
  if (!h->buffers) return;
  if (first->op == EVENT_FLUSH) enabled_by(h, step_of_event(h, flush_thread(first), flush_store(first)));
  for (uint32_t agent = AGENTS_FROM; agent < h->width; agent++) enabled_by(h, flush_before(h, agent, first));
  for (size_t i = 0; i < h->enablers.count; i++) {
    join(clock, clock_of(h, h->enablers.data[i]), h->width);
    *vec_push(&h->dependent) = (struct history_candidate){h->enablers.data[i], REVERSAL_NO};
  }
}

void history_push(struct history *h, uint32_t thread, uint32_t choice, const struct event *events, uint32_t n, const struct tset *enabled,
                  bool ends) {
  widen(h, thread);
  uint32_t i = (uint32_t)h->steps.count, own = h->last[thread], previous = history_previous(h, thread);
  uint32_t *clock = vec_push_n(&h->clocks, h->width);
  if (previous != NO_STEP) {
    memcpy(clock, clock_of(h, previous), h->width * sizeof *clock);
    if (own == NO_STEP) clock[thread] = 0;
  } else {
    memset(clock, 0, h->width * sizeof *clock);
  }
  vec_clear(&h->dependent);
  join_enablers(h, events, clock, previous);
  for (uint32_t k = 0; k < n; k++) history_collect(h, &events[k], events, clock, h->since, false);
  if (ends) depend_on_all(h, thread, events, previous);
  settle_clock(h, clock);
  clock[thread]++;
  *vec_push(&h->steps) = (struct history_step){.thread = thread,
                                               .choice = choice,
                                               .index = clock[thread],
                                               .previous = previous,
                                               .own = own,
                                               .first_event = (uint32_t)h->events.count,
                                               .first_record = (uint32_t)h->records.count,
                                               .enabled = *enabled};
  h->last[thread] = i;
  memcpy(vec_push_n(&h->events, n), events, n * sizeof *events);
  for (uint32_t k = 0; k < n; k++) {
    if (events[k].op == EVENT_FORK && events[k].object < THREADS_MAX) {
      *vec_push(&h->forked_before) = h->forked[events[k].object];
      h->forked[events[k].object] = i;
    }
    h->failed_joins += events[k].op == EVENT_JOIN && (events[k].flags & EVENT_TIMED_OUT);
    history_note(h, i, (uint32_t)(h->events.count - n + k));
  }
}

/* The clock of a thread that stands behind its last step, borrowed from above the stack; *previous is that step. */
static uint32_t *clock_behind(struct history *h, uint32_t t, uint32_t *previous) {
  *previous = history_previous(h, t);
  widen(h, t);
  uint32_t *clock = vec_push_n(&h->clocks, h->width);
  h->clocks.count -= h->width;
  if (*previous != NO_STEP) {
    memcpy(clock, clock_of(h, *previous), h->width * sizeof *clock);
  } else {
    memset(clock, 0, h->width * sizeof *clock);
  }
  return clock;
}

void history_blocked(struct history *h, const struct event *pending) {
  uint32_t previous, *clock = clock_behind(h, pending->thread, &previous);
  vec_clear(&h->dependent);
  join_enablers(h, pending, clock, previous);
  history_collect(h, pending, pending, clock, h->since, true);
  settle_clock(h, clock);
}

const struct event *history_look(const struct event *events, uint32_t n) {
  if (n < 2 || !history_may_wait(events)) return NULL;
  for (uint32_t k = 1; k < n; k++)
    if (events[k].op == EVENT_READ && (events[k].flags & EVENT_WAITS)) return &events[k];
  return NULL;
}

/* The end of an execution depends on every step: a race with the last one of each thread leads to the others. */
static void end_below(struct history *h, const struct history_below *b, const uint32_t *clock) {
  for (uint32_t t = 0; t < h->width; t++) {
    uint32_t last = h->last[t], owner = t;
    if (last == NO_STEP || last < b->from || t == b->root || clock[t] >= h->steps.data[last].index) continue;
    if (t >= AGENTS_FROM && first_of(h, last)->op == EVENT_FLUSH) owner = flush_thread(first_of(h, last));
    bool joined = owner < AGENTS_FROM && (b->after >> owner & 1);
    if (!joined) *vec_push(&h->races) = last;
  }
}

uint32_t history_unflushed(const struct history *h, const struct event *flush) {
  uint32_t owner = flush_thread(flush), last = h->last[flush->thread], found = NO_STEP;
  uint32_t from = last == NO_STEP ? 0 : flush_store(first_of(h, last)) + 1; /* an agent flushes its stores in order */
  for (uint32_t i = h->last[owner]; i != NO_STEP && h->steps.data[i].thread == owner; i = h->steps.data[i].previous) {
    const struct event *e = first_of(h, i);
    if (event_drains(e) || e->index < from) break;
    if (e->op == EVENT_WRITE && e->object == flush->object && e->size == flush->size) found = i;
  }
  return found;
}

/* A flush comes after the store was issued, and after the flushes that its agent made before; what waits for an empty buffer after those of
 * all that it held. */
static void find_enablers_below(struct history *h, const struct history_below *b) {
  const struct event *e = b->event;
  if (e && e->op == EVENT_FLUSH) {
    enabled_by(h, b->issue != NO_STEP ? b->issue : h->last[e->thread]);
  } else if (e && h->buffers && (event_drains(e) || e->thread != b->root)) { /* who makes a thread waits for that, too */
    for (uint32_t agent = AGENTS_FROM; agent < h->width; agent++) {
      uint32_t last = h->last[agent];
      if (last != NO_STEP && flush_thread(first_of(h, last)) == b->root) enabled_by(h, last);
    }
  }
}

/* Those races that no later one leads to: see settle_clock(). */
static void settle_below(struct history *h, const uint32_t *clock) {
  if (h->dependent.count > 1) sort_candidates(h);
  uint32_t *stopped = NULL;
  for (size_t i = 0; i < h->dependent.count; i++) {
    const struct history_candidate *c = &h->dependent.data[i];
    const struct history_step *e = &h->steps.data[c->step];
    if (c->reversal != REVERSAL_NO && (stopped ? stopped : clock)[e->thread] < e->index) *vec_push(&h->races) = c->step;
    if (c->reversal != REVERSAL_YES || i + 1 == h->dependent.count) continue;
    if (!stopped) {
      vec_clear(&h->scratch);
      stopped = vec_push_n(&h->scratch, h->width);
      memcpy(stopped, clock, h->width * sizeof *clock);
    }
    join(stopped, clock_of(h, c->step), h->width);
  }
}

void history_find_below(struct history *h, const struct history_below *b) {
  static const uint32_t nothing[THREADS_MAX];
  uint32_t previous = history_previous(h, b->root);
  vec_clear(&h->races);
  vec_clear(&h->dependent);
  vec_clear(&h->enablers);
  h->since = previous;
  if (b->event && b->event->op == EVENT_END && h->failed_joins == 0) return; /* nobody cares */
  const uint32_t *clock = previous != NO_STEP ? clock_of(h, previous) : nothing;
  if (h->buffers || (b->event && b->event->op == EVENT_FLUSH)) {
    find_enablers_below(h, b);
    uint32_t *both = clock_behind(h, b->root, &previous);
    for (size_t i = 0; i < h->enablers.count; i++) join(both, clock_of(h, h->enablers.data[i]), h->width);
    clock = both;
  }
  if (!b->event) {
    end_below(h, b, clock);
    return;
  }
  history_collect_below(h, b, clock);
  if (h->dependent.count) settle_below(h, clock);
}

void history_pop(struct history *h, uint32_t n) {
  while (h->steps.count > n) {
    const struct history_step *s = &vec_last(&h->steps);
    while (h->records.count > s->first_record) {
      history_forget(h, &vec_last(&h->records));
      h->records.count--;
    }
    for (size_t k = h->events.count; k-- > s->first_event;) {
      const struct event *e = &h->events.data[k];
      if (e->op == EVENT_FORK && e->object < THREADS_MAX) h->forked[e->object] = vec_pop(&h->forked_before);
      h->failed_joins -= e->op == EVENT_JOIN && (e->flags & EVENT_TIMED_OUT);
    }
    h->events.count = s->first_event;
    h->last[s->thread] = s->own;
    h->steps.count--;
  }
  h->clocks.count = h->steps.count * h->width;
}

uint32_t history_section(const struct history *h, uint32_t step) {
  while (h->events.data[h->steps.data[step].first_event].flags & EVENT_INTERNAL) step = h->steps.data[step].previous;
  return step;
}
