#include "orders.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum waits { RUNS, WAITS, NOTIFIED };

struct state {
  uint8_t at[THREADS], waits[THREADS];
  int8_t holder[LOCKS], values[WORDS];
  uint8_t readers[LOCKS]; /* a bit for each thread */
};

static struct {
  const struct trace *trace;
  struct state *at;
  unsigned count, cap, obey;
  int until;
} search;

static bool is_new(const struct state *s) {
  for (unsigned i = 0; i < search.count; i++)
    if (memcmp(&search.at[i], s, sizeof *s) == 0) return false;
  if (search.count == search.cap) search.at = realloc(search.at, (search.cap = search.cap * 2 + 64) * sizeof *s);
  search.at[search.count++] = *s;
  return true;
}

static int next(const struct state *s, int thread) {
  int e = s->at[thread] < search.trace->n[thread] ? search.trace->of[thread][s->at[thread]] : NO_EVENT;
  return e < search.until ? e : NO_EVENT;
}

/* The thread has done all that is known of it: it goes on if it was notified, and gives a lock back. */
static bool finish(struct state *s, int thread) {
  if (s->waits[thread] == NOTIFIED && s->holder[0] == NOBODY) return s->holder[0] = (int8_t)thread, s->waits[thread] = RUNS, true;
  for (int i = 0; i < LOCKS; i++) {
    if (s->holder[i] == thread && s->waits[thread] == RUNS) return s->holder[i] = NOBODY, true;
    if (s->readers[i] >> thread & 1) return s->readers[i] &= (uint8_t) ~(1 << thread), true;
  }
  return false;
}

static bool is_written(const struct state *s, int word, int value) {
  for (int t = 0; t < THREADS; t++)
    for (int i = 0; i < s->at[t]; i++) {
      const struct event *e = &search.trace->events[search.trace->of[t][i]];
      if (e->what == WRITE && e->object == word && e->value == value) return true;
    }
  return value == 0;
}

static bool sees(const struct state *s, const struct event *e) {
  if (search.obey & OBEY_VALUES) return s->values[e->object] == e->value;
  return !(search.obey & OBEY_WRITERS) || is_written(s, e->object, e->value);
}

/* Something is in the way of who takes the lock. */
static bool refuses(const struct state *s, const struct event *e) {
  return s->holder[e->object] != NOBODY || (!e->shared && s->readers[e->object]);
}

static bool may_take(const struct state *s, const struct event *e) {
  return !(search.obey & OBEY_LOCKS) || (!refuses(s, e) && s->waits[e->thread] != WAITS);
}

static void take(struct state *s, const struct event *e) {
  s->waits[e->thread] = RUNS;
  if (e->shared)
    s->readers[e->object] |= (uint8_t)(1 << e->thread);
  else
    s->holder[e->object] = (int8_t)e->thread;
}

static void give(struct state *s, const struct event *e) {
  s->waits[e->thread] = e->waits ? WAITS : RUNS;
  if (e->shared)
    s->readers[e->object] &= (uint8_t) ~(1 << e->thread);
  else
    s->holder[e->object] = NOBODY;
}

/* The thread does its next event of the trace; false: it cannot, or does another one. */
static bool advance(struct state *s, int thread) {
  int at = next(s, thread);
  if (at == NO_EVENT) return finish(s, thread);
  const struct event *e = &search.trace->events[at];
  if (e->what == READ && !sees(s, e)) return false;
  if (e->what == TAKE && !may_take(s, e)) return false;
  if (e->what == TRY && search.obey & OBEY_LOCKS && !refuses(s, e)) return false;
  if (e->what == WRITE) s->values[e->object] = (int8_t)e->value;
  if (e->what == TAKE) take(s, e);
  if (e->what == GIVE) give(s, e);
  for (int t = 0; e->what == NOTIFY && t < THREADS; t++)
    if (s->waits[t] == WAITS) s->waits[t] = NOTIFIED;
  s->at[thread]++;
  return true;
}

static bool is_past(const struct state *s, int e) {
  int t = search.trace->events[e].thread;
  return s->at[t] > 0 && search.trace->of[t][s->at[t] - 1] >= e;
}

static bool shows(const struct state *s, int first, int second) {
  const struct event *a = &search.trace->events[first], *b = &search.trace->events[second];
  if (next(s, a->thread) != first) return false;
  return next(s, b->thread) == second || ((b->what == END || b->what == NOTIFY) && is_past(s, second));
}

/* Nobody goes on, and it waits since that event. */
static bool loses(const struct state *s, int wait, bool stuck) {
  const struct event *w = &search.trace->events[wait];
  if (!stuck || s->waits[w->thread] != WAITS || search.trace->of[w->thread][s->at[w->thread] - 1] != wait) return false;
  for (int t = 0; t < THREADS; t++) {
    int e = next(s, t);
    if (e != NO_EVENT && search.trace->events[e].what == READ) return false; /* it would, otherwise */
  }
  return true;
}

static bool reaches(const struct state *s, int first, int second) {
  bool stuck = true;
  if (second != NO_EVENT && shows(s, first, second)) return true;
  for (int t = 0; t < THREADS; t++) {
    struct state after = *s;
    if (!advance(&after, t)) continue;
    stuck = false;
    if (is_new(&after) && reaches(&after, first, second)) return true;
  }
  return second == NO_EVENT && loses(s, first, stuck);
}

static bool search_from_start(const struct trace *t, int first, int second, int until, unsigned obey) {
  struct state s;
  memset(&s, 0, sizeof s);
  for (int i = 0; i < LOCKS; i++) s.holder[i] = NOBODY;
  search.trace = t, search.count = 0, search.until = until, search.obey = obey;
  return reaches(&s, first, second);
}

bool orders_show(const struct trace *t, int first, int second, int until, unsigned obey) {
  return search_from_start(t, first, second, until, obey);
}

bool orders_lose(const struct trace *t, int wait) { return search_from_start(t, wait, NO_EVENT, t->count, OBEY_LOCKS | OBEY_VALUES); }
