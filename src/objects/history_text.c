/* Histories as people read them. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "objects/internal.h"

/* --- one line --- */

static const struct history_event *end_of(const struct history_event *events, size_t n, uint32_t thread, uint32_t i) {
  for (size_t k = 0; k < n; k++)
    if (events[k].what == HISTORY_ENDS && events[k].thread == thread && i-- == 0) return &events[k];
  return NULL;
}

static uint32_t begun_of(const struct history_event *events, size_t n, uint32_t thread) {
  uint32_t begun = 0;
  for (size_t k = 0; k < n; k++) begun += events[k].what == HISTORY_BEGINS && events[k].thread == thread;
  return begun;
}

static const struct history_event *close_of(const struct history_event *events, size_t n) {
  for (size_t k = 0; k < n; k++)
    if (events[k].what == HISTORY_CLOSES) return &events[k];
  return NULL;
}

void history_line(const struct object *o, const struct scenario *s, const struct history_event *events, size_t n, struct text *out) {
  for (uint32_t t = 0; t < s->threads; t++) {
    uint32_t begun = begun_of(events, n, t);
    if (t) text_puts(out, begun ? " | " : " |");
    for (uint32_t i = 0; i < begun && i < s->count[t]; i++) {
      const struct history_event *end = end_of(events, n, t, i);
      if (i) text_puts(out, ", ");
      scenario_call_text(o, &s->calls[t][i], out);
      if (end)
        text_printf(out, " = %" PRId64, (int64_t)end->value);
      else
        text_puts(out, " pending");
    }
  }
}

void history_event_text(const struct object *o, const struct scenario *s, const struct history_event *events, size_t n, struct text *out) {
  const struct history_event *last = &events[n - 1];
  bool begins = last->what == HISTORY_BEGINS;
  uint32_t index = begun_of(events, n, last->thread) - 1;
  text_puts(out, begins ? "begins " : "ends ");
  scenario_call_text(o, &s->calls[last->thread][index % s->count[last->thread]], out);
  if (!begins) text_printf(out, " = %" PRId64, (int64_t)last->value);
}

/* --- the table --- */

enum { CELL = 64 };

struct cell {
  uint32_t thread;
  char text[CELL];
};

static void fill(struct cell *c, uint32_t thread, const struct text *t) {
  c->thread = thread;
  size_t n = t->count < CELL - 1 ? t->count : CELL - 1;
  memcpy(c->text, text_str(t), n);
  c->text[n] = 0;
}

/* An operation that nothing happens within is one row; others have a row for the beginning and one for the end. */
static void cell_of(const struct object *o, const struct scenario *s, const struct history_event *e, uint32_t index, bool begins,
                    struct cell *c) {
  struct text t = {0};
  scenario_call_text(o, &s->calls[e->thread][index], &t);
  if (begins)
    text_puts(&t, " ...");
  else
    text_printf(&t, " = %" PRId64, (int64_t)e->value);
  fill(c, e->thread, &t);
  text_release(&t);
}

void history_table(const struct object *o, const struct scenario *s, const struct history_event *events, size_t n, const char *const *names,
                   struct text *out) {
  uint32_t begun[SCENARIO_THREADS] = {0};
  size_t width[SCENARIO_THREADS];
  VEC(struct cell) cells = {0};
  for (uint32_t t = 0; t < s->threads; t++) width[t] = strlen(names[t]) + strlen("thread ");
  for (size_t i = 0; i < n; i++) {
    const struct history_event *e = &events[i];
    bool at_once = e->what == HISTORY_BEGINS && i + 1 < n && events[i + 1].what == HISTORY_ENDS && events[i + 1].thread == e->thread;
    if (e->what == HISTORY_BEGINS) begun[e->thread]++;
    if (e->what == HISTORY_CLOSES || at_once || begun[e->thread] == 0 || begun[e->thread] > s->count[e->thread]) continue;
    struct cell *c = vec_push(&cells);
    cell_of(o, s, e, begun[e->thread] - 1, e->what == HISTORY_BEGINS, c);
    if (strlen(c->text) > width[e->thread]) width[e->thread] = strlen(c->text);
  }
  for (uint32_t t = 0; t < s->threads; t++)
    text_printf(out, "  thread %-*s", (int)(t + 1 < s->threads ? width[t] - strlen("thread ") : 0), names[t]);
  text_putc(out, '\n');
  for (size_t i = 0; i < cells.count; i++) {
    size_t at = 2;
    for (uint32_t t = 0; t < cells.data[i].thread; t++) at += width[t] + 2;
    text_printf(out, "%*s%s\n", (int)at, "", cells.data[i].text);
  }
  const struct history_event *close = close_of(events, n);
  if (close) text_printf(out, "  state at the end: %" PRIx64 "\n", close->value);
  vec_release(&cells);
}

/* --- orders --- */

enum { COUNTED_MOST = 10000 };

struct orders {
  const struct history *history;
  const struct scenario *scenario;
  const struct sequential *sequential;
  const struct object *object;
  const struct history_event *events;
  size_t n;
  const char *const *names;
  uint32_t begun[SCENARIO_THREADS], ended[SCENARIO_THREADS];
  /* By thread and operation: places in the history. */
  size_t begins[SCENARIO_THREADS][SCENARIO_CALLS], ends[SCENARIO_THREADS][SCENARIO_CALLS];
  uint8_t chosen[SCENARIO_THREADS * SCENARIO_CALLS]; /* the order so far: threads */
  uint32_t nchosen, done[SCENARIO_THREADS];
  uint32_t most, shown;
  bool explained;
  struct text *out;
};

static void read_times(struct orders *x) {
  for (size_t k = 0; k < x->n; k++) {
    const struct history_event *e = &x->events[k];
    if (e->what == HISTORY_BEGINS) x->begins[e->thread][x->begun[e->thread]++] = k;
    if (e->what == HISTORY_ENDS) x->ends[e->thread][x->ended[e->thread]++] = k;
  }
}

/* Has another operation that is not in the order yet ended before this one began? */
static bool must_wait(const struct orders *x, uint32_t thread) {
  for (uint32_t t = 0; t < x->scenario->threads; t++)
    if (t != thread && x->done[t] < x->ended[t] && x->ends[t][x->done[t]] < x->begins[thread][x->done[thread]]) return true;
  return false;
}

/* The order so far, and behind it what would come next: `what`, and the number that belongs to it. */
static void put_order(struct orders *x, uint32_t thread, const char *what, const char *number) {
  uint32_t at[SCENARIO_THREADS] = {0};
  if (x->shown++ >= x->most) return;
  text_puts(x->out, "  ");
  for (uint32_t i = 0; i < x->nchosen; i++) {
    uint32_t t = x->chosen[i];
    text_printf(x->out, "%s%s ", i ? ", " : "", x->names[t]);
    scenario_call_text(x->object, &x->scenario->calls[t][at[t]++], x->out);
  }
  text_printf(x->out, ": %s%s%s\n", thread < SCENARIO_THREADS ? "the last one" : "the state at the end", what, number);
}

static bool is_whole(const struct orders *x) {
  for (uint32_t t = 0; t < x->scenario->threads; t++)
    if (x->done[t] < x->ended[t]) return false;
  return true;
}

static void close_order(struct orders *x, uint32_t node) {
  const struct history_event *close = close_of(x->events, x->n);
  const struct sequential_node *n = &x->sequential->nodes.data[node];
  char number[24];
  if (!close || !n->has_state || n->state == close->value) {
    x->explained = true;
    return;
  }
  snprintf(number, sizeof number, "%" PRIx64, n->state);
  put_order(x, SCENARIO_THREADS, " would be ", number);
}

static void go_on(struct orders *x, uint32_t node);

static void choose(struct orders *x, uint32_t node, uint32_t thread) {
  const struct sequential_node *n = &x->sequential->nodes.data[node];
  bool has_ended = x->done[thread] < x->ended[thread];
  char number[24];
  x->chosen[x->nchosen++] = (uint8_t)thread;
  uint32_t i = x->done[thread]++;
  if (n->next[thread] == SEQUENTIAL_NONE) {
    if (has_ended) put_order(x, thread, " would not end", "");
  } else if (has_ended && x->events[x->ends[thread][i]].value != n->result[thread]) {
    snprintf(number, sizeof number, "%" PRId64, (int64_t)n->result[thread]);
    put_order(x, thread, " would return ", number);
  } else {
    go_on(x, n->next[thread]);
  }
  x->done[thread]--, x->nchosen--;
}

/* Every order is told as far as it agrees with what was seen. */
static void go_on(struct orders *x, uint32_t node) {
  if (x->explained || x->shown >= COUNTED_MOST) return;
  if (is_whole(x)) {
    close_order(x, node);
    return;
  }
  for (uint32_t t = 0; t < x->scenario->threads; t++)
    if (x->done[t] < x->begun[t] && !must_wait(x, t)) choose(x, node, t);
}

void history_orders(const struct history *h, const struct object *o, const struct history_event *events, size_t n, const char *const *names,
                    uint32_t most, struct text *out) {
  struct text lines = {0};
  struct orders x = {.history = h,
                     .scenario = history_scenario(h),
                     .sequential = history_sequential(h),
                     .object = o,
                     .events = events,
                     .n = n,
                     .names = names,
                     .most = most,
                     .out = &lines};
  read_times(&x);
  go_on(&x, x.sequential->root);
  if (!x.explained) text_puts(out, text_str(&lines));
  if (!x.explained && x.shown > most)
    text_printf(out, "  and %s%" PRIu32 " more\n", x.shown >= COUNTED_MOST ? "at least " : "", x.shown - most);
  text_release(&lines);
}
