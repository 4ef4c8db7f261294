#include "closures.h"

#include <stdio.h>

void closure_add(bool before[EVENTS][EVENTS], int a, int e) {
  before[a][e] = true;
  for (int i = 0; i < a; i++) before[i][e] |= before[i][a];
}

bool trace_conflict(const struct trace *t, int a, int b) {
  const struct event *x = &t->events[a], *y = &t->events[b];
  return x->what < TAKE && y->what < TAKE && x->object == y->object && x->thread != y->thread && (x->what != READ || y->what != READ);
}

/* Where the lock that was taken there was given back. */
static int end_of(const struct trace *t, int take) {
  const struct event *x = &t->events[take];
  for (int e = take + 1; e < t->count; e++)
    if (t->events[e].what == GIVE && t->events[e].object == x->object && t->events[e].thread == x->thread) return e;
  return t->count;
}
static bool is_within(const struct trace *t, int e, int take) {
  return t->events[take].what == TAKE && t->events[take].thread == t->events[e].thread && take < e && e <= end_of(t, take);
}

/* A section of another thread that has ended, s, and what e finds in its own of the same lock. */
static bool section_before(const struct trace *t, bool before[EVENTS][EVENTS], int s, int e, int own) {
  const struct event *x = &t->events[e];
  if (before[s][e] && (x->what == GIVE || x->what == TAKE) && x->object == t->events[own].object) return true;
  for (int a = s + 1; a < end_of(t, s); a++)
    if (is_within(t, a, s) && trace_conflict(t, a, e) && t->events[a].what != END && x->what != END) return true;
  return false;
}

static void order_sections(const struct trace *t, bool before[EVENTS][EVENTS], int e) {
  for (int s = 0; s < e; s++)
    for (int own = s + 1; own <= e; own++) {
      const struct event *x = &t->events[s], *y = &t->events[own];
      if (x->what != TAKE || y->what != TAKE || x->object != y->object || x->thread == y->thread) continue;
      if ((own == e || is_within(t, e, own)) && end_of(t, s) < e && section_before(t, before, s, e, own))
        closure_add(before, end_of(t, s), e);
    }
}

/* What was read before, and what a section read before this write. */
static void order_values(const struct trace *t, bool before[EVENTS][EVENTS], int e) {
  int written = NO_EVENT;
  for (int a = 0; a < e; a++) {
    if (!trace_conflict(t, a, e) || t->events[a].what == END) continue;
    if (t->events[a].what == WRITE && t->events[e].what == READ) written = a;
    for (int take = 0; take < a && t->events[a].what == READ && t->events[e].what == WRITE; take++)
      if (is_within(t, a, take)) closure_add(before, take, e);
  }
  for (int a = written; a != NO_EVENT && a < e; a++)
    if (t->events[a].what == WRITE && t->events[a].object == t->events[e].object) written = a; /* its own may be the last one */
  if (written != NO_EVENT && t->events[written].thread != t->events[e].thread) closure_add(before, written, e);
}

void closure_make(const struct trace *t, bool before[EVENTS][EVENTS], bool values) {
  int last[THREADS] = {NO_EVENT, NO_EVENT, NO_EVENT};
  for (int e = 0; e < t->count; e++) {
    int thread = t->events[e].thread;
    if (last[thread] != NO_EVENT) closure_add(before, last[thread], e);
    last[thread] = e;
    if (values) order_values(t, before, e);
    for (int a = 0; a < e; a++)
      if (t->events[a].what == NOTIFY && t->events[e].what == TAKE && t->events[e].waits) closure_add(before, a, e);
    for (int times = 0; times < EVENTS; times++) order_sections(t, before, e);
  }
}

bool trace_common_lock(const struct trace *t, int a, int b) {
  for (int s = 0; s < a; s++)
    for (int own = 0; own < b; own++)
      if (is_within(t, a, s) && is_within(t, b, own) && t->events[s].object == t->events[own].object) return true;
  return false;
}

static bool holds(const struct trace *t, int e, const struct event *wanted) {
  for (int s = 0; s < e; s++)
    if (is_within(t, e, s) && t->events[s].object == wanted->object && !(wanted->shared && t->events[s].shared)) return true;
  return false;
}

bool trace_crosses(const struct trace *t, int a, int b) {
  const struct event *x = &t->events[a], *y = &t->events[b];
  return x->what == TAKE && y->what == TAKE && x->thread != y->thread && x->object != y->object && holds(t, a, y) && holds(t, b, x);
}

void trace_print(const struct trace *t) {
  static const char *const names[] = {"read", "write", "end", "take", "give", "notify", "try"};
  for (int i = 0; i < t->count; i++) {
    const struct event *e = &t->events[i];
    const char *how = e->waits ? "wait: " : e->shared ? "shared: " : "";
    printf("%2d  %*sT%d %s%s %d = %d\n", i, e->thread * 16, "", e->thread, how, names[e->what], e->object, e->value);
  }
}
