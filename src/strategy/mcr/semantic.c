#include "strategy/mcr/semantic.h"

#include <string.h>

#include "machine/invocation.h"
#include "machine/machine.h"
#include "strategy/strategy.h"

#define NOBODY UINT32_MAX
/* Of an edge: nothing can undo it. */
#define MUST 0x80000000u

void mcr_semantic_release(struct mcr_semantic *s) {
  vec_release(&s->invocations);
  vec_release(&s->of);
  vec_release(&s->edges);
  vec_release(&s->starts);
  vec_release(&s->before);
  vec_release(&s->queue);
  vec_release(&s->late);
  hashmap_release(&s->called);
  vec_release(&s->results);
  vec_release(&s->failed);
}

/* --- invocations --- */

/* The invocation of the thread that has not ended. */
static struct semantic_invocation *pending_of(struct mcr_semantic *s, uint32_t thread) {
  for (size_t i = s->invocations.count; i-- > 0;)
    if (s->invocations.data[i].thread == thread) return s->invocations.data[i].ended ? NULL : &s->invocations.data[i];
  return NULL;
}

static void take_invocations(struct mcr_semantic *s, const struct execution *x) {
  uint32_t n;
  const struct machine_invocation *all = execution_invocations(x, &n);
  vec_clear(&s->invocations);
  for (uint32_t i = 0; i < n; i++) {
    struct semantic_invocation *open = pending_of(s, all[i].thread);
    if (!all[i].ends) {
      *vec_push(&s->invocations) =
          (struct semantic_invocation){.what = all[i].what, .thread = all[i].thread, .first = all[i].index, .last = UINT32_MAX};
    } else if (open) {
      open->ended = true, open->last = all[i].index;
      open->what.results = all[i].what.results, open->what.result = all[i].what.result;
    }
  }
}

/* Until here, `first` and `last` are indices of the thread's events: from the first one to the one behind the last. */
static void find_events(struct mcr_semantic *s, const struct mcr_trace *t) {
  uint32_t *of = vec_push_n(&s->of, t->events.count);
  for (size_t i = 0; i < t->events.count; i++) {
    const struct event *e = &t->events.data[i];
    of[i] = NOBODY;
    for (uint32_t k = 0; k < s->invocations.count; k++) {
      const struct semantic_invocation *v = &s->invocations.data[k];
      bool pending = i >= t->n && !v->ended; /* where it stands has no index yet */
      if (v->thread == e->thread && (pending || (i < t->n && e->index >= v->first && e->index < v->last))) of[i] = k;
    }
  }
  for (uint32_t k = 0; k < s->invocations.count; k++) s->invocations.data[k].first = s->invocations.data[k].last = NOBODY;
  for (uint32_t i = 0; i < t->n; i++) {
    if (of[i] == NOBODY) continue;
    struct semantic_invocation *v = &s->invocations.data[of[i]];
    if (v->first == NOBODY) v->first = i;
    v->last = i;
  }
}

/* --- commutativity --- */

static bool call(void *data, unsigned function, const int64_t *arguments, unsigned n, int64_t *result) {
  struct mcr_semantic *s = data;
  uint64_t key = hash_mix(function + 1);
  bool is_new = false;
  for (unsigned i = 0; i < n; i++) key = hash_pair(key, (uint64_t)arguments[i]);
  uint64_t at = *hashmap_at(&s->called, key, s->results.count, &is_new);
  if (is_new) {
    int64_t value = 0;
    *vec_push(&s->failed) = !execution_call(s->x, function, arguments, n, &value);
    *vec_push(&s->results) = value;
  }
  *result = s->results.data[at];
  return !s->failed.data[at];
}

static bool commute(struct mcr_semantic *s, const struct semantic_invocation *u, const struct semantic_invocation *v) {
  const struct spec_caller caller = {call, s};
  enum spec_answer answer = spec_commute(s->spec, &u->what, &v->what, &caller);
  s->troubles |= 1u << answer;
  s->ordered += answer != SPEC_COMMUTE;
  return answer == SPEC_COMMUTE;
}

/* --- edges --- */

static uint32_t node_of(const struct mcr_semantic *s, const struct mcr_trace *t, uint32_t event) {
  return s->of.data[event] == NOBODY ? event : t->n + s->of.data[event];
}

static void edge(struct mcr_semantic *s, uint32_t from, uint32_t to) {
  if ((from & ~MUST) == to) return;
  *vec_push(&s->edges) = from;
  *vec_push(&s->edges) = to;
}

/* Of one thread, and those of forks and joins. */
static void order_threads(struct mcr_semantic *s, const struct mcr_trace *t) {
  uint32_t last[THREADS_MAX];
  for (uint32_t i = 0; i < THREADS_MAX; i++) last[i] = NOBODY;
  for (uint32_t i = 0; i < t->n; i++) {
    const struct event *e = &t->events.data[i];
    uint32_t node = node_of(s, t, i);
    if (last[e->thread] != NOBODY) edge(s, last[e->thread] | MUST, node);
    last[e->thread] = node;
    if (e->object >= THREADS_MAX) continue;
    if (e->op == EVENT_FORK) last[e->object] = node;
    if (e->op == EVENT_JOIN && !(e->flags & EVENT_TIMED_OUT) && last[e->object] != NOBODY) edge(s, last[e->object] | MUST, node);
  }
}

static bool is_access(const struct event *e) { return event_reads(e) || event_writes(e) || e->op == EVENT_FREE; }

/* Unscoped accesses: reads-from, reads-before and the order of writes, all of them as the trace has it. */
static void order_accesses(struct mcr_semantic *s, const struct mcr_trace *t) {
  for (uint32_t i = 0; i < t->n; i++) {
    const struct event *b = &t->events.data[i];
    if (s->of.data[i] != NOBODY || !is_access(b)) continue;
    for (uint32_t k = i; k-- > 0;) {
      const struct event *a = &t->events.data[k];
      if (s->of.data[k] != NOBODY || !is_access(a) || !event_overlaps(a, b) || (a->op == EVENT_READ && b->op == EVENT_READ)) continue;
      edge(s, k, i);
      if (a->op != EVENT_READ && a->object <= b->object && a->object + a->size >= b->object + b->size) break;
    }
  }
}

static void order_invocations(struct mcr_semantic *s, const struct mcr_trace *t) {
  for (uint32_t i = 0; i < s->invocations.count; i++) {
    const struct semantic_invocation *u = &s->invocations.data[i];
    for (uint32_t k = 0; k < i; k++) {
      const struct semantic_invocation *v = &s->invocations.data[k];
      if (u->first == NOBODY || v->first == NOBODY || u->thread == v->thread || commute(s, v, u)) continue;
      if (v->first < u->last) edge(s, t->n + k, t->n + i);
      if (u->first < v->last) edge(s, t->n + i, t->n + k);
    }
  }
}

/* Sorts the edges by where they lead to. */
static void index_edges(struct mcr_semantic *s, uint32_t nodes) {
  VEC(uint32_t) sorted = {0};
  uint32_t *start = vec_push_n(&s->starts, nodes + 1);
  memset(start, 0, (nodes + 1) * sizeof *start);
  for (size_t i = 0; i < s->edges.count; i += 2) start[s->edges.data[i + 1]]++;
  for (uint32_t i = 1; i <= nodes; i++) start[i] += start[i - 1];
  uint32_t *from = vec_push_n(&sorted, s->edges.count / 2 + 1);
  for (size_t i = s->edges.count; i; i -= 2) from[--start[s->edges.data[i - 1]]] = s->edges.data[i - 2];
  s->edges.count /= 2;
  if (s->edges.count) memcpy(s->edges.data, from, s->edges.count * sizeof *from);
  vec_release(&sorted);
}

void mcr_semantic_take(struct mcr_semantic *s, const struct mcr_trace *t, const struct execution *x) {
  s->x = x;
  s->spec = execution_options(x)->spec;
  s->asked = NOBODY;
  vec_clear(&s->of);
  vec_clear(&s->edges);
  vec_clear(&s->starts);
  take_invocations(s, x);
  find_events(s, t);
  order_threads(s, t);
  order_accesses(s, t);
  order_invocations(s, t);
  index_edges(s, t->n + (uint32_t)s->invocations.count);
}

/* --- questions --- */

bool mcr_semantic_is_scoped(const struct mcr_semantic *s, const struct mcr_trace *t, uint32_t event) {
  uint8_t op = t->events.data[event].op;
  return s->spec && s->of.data[event] != NOBODY && (op == EVENT_READ || op == EVENT_RMW || op == EVENT_AWAIT);
}

/* Marks all nodes from which edges lead to this one; `must`: none that can be undone. */
static void mark_before(struct mcr_semantic *s, uint32_t node, bool must, uint8_t mark) {
  vec_clear(&s->queue);
  *vec_push(&s->queue) = node;
  for (size_t i = 0; i < s->queue.count; i++) {
    uint32_t at = s->queue.data[i];
    for (uint32_t k = s->starts.data[at]; k < s->starts.data[at + 1]; k++) {
      uint32_t from = s->edges.data[k] & ~MUST;
      if ((must && !(s->edges.data[k] & MUST)) || s->before.data[from] & mark) continue;
      s->before.data[from] |= mark;
      *vec_push(&s->queue) = from;
    }
  }
}

/* Adds what happens before this node and need not. */
static void add_before(struct mcr_semantic *s, const struct mcr_trace *t, uint32_t node) {
  enum { ANYHOW = 1, ALWAYS = 2, ADDED = 4 };
  uint32_t nodes = t->n + (uint32_t)s->invocations.count;
  for (uint32_t i = 0; i < nodes; i++) s->before.data[i] &= ADDED;
  mark_before(s, node, false, ANYHOW);
  mark_before(s, node, true, ALWAYS);
  for (uint32_t i = 0; i < nodes; i++) {
    uint32_t last = i < t->n ? i : s->invocations.data[i - t->n].last;
    if (s->before.data[i] != ANYHOW || i == node || last == NOBODY || last < t->prefix) continue;
    *vec_push(&s->late) = last;
    s->before.data[i] |= ADDED;
  }
}

const uint32_t *mcr_semantic_before(struct mcr_semantic *s, const struct mcr_trace *t, uint32_t event, uint32_t *n) {
  uint32_t invocation = s->of.data[event], thread = t->events.data[event].thread, last = NOBODY;
  if (s->asked != invocation) {
    vec_clear(&s->late);
    vec_clear(&s->before);
    memset(vec_push_n(&s->before, t->n + s->invocations.count + 1), 0, t->n + s->invocations.count + 1);
    for (uint32_t i = event; i < t->n; i++) {
      uint32_t node = node_of(s, t, i);
      if (t->events.data[i].thread != thread || node == last) continue;
      add_before(s, t, last = node);
    }
    s->asked = invocation;
  }
  *n = (uint32_t)s->late.count;
  return s->late.data;
}

/* Does an edge lead from one node to the other? */
static bool leads(const struct mcr_semantic *s, uint32_t from, uint32_t to) {
  for (uint32_t k = s->starts.data[to]; k < s->starts.data[to + 1]; k++)
    if ((s->edges.data[k] & ~MUST) == from) return true;
  return false;
}

bool mcr_semantic_overtakes(const struct mcr_semantic *s, const struct mcr_trace *t, uint32_t event, uint64_t value) {
  const struct event *r = &t->events.data[event];
  for (uint32_t i = t->prefix; i < t->n; i++) {
    const struct event *w = &t->events.data[i];
    if (w->thread == r->thread || !event_writes(w) || !event_overlaps(w, r)) continue;
    bool same = w->object != r->object || w->size != r->size || (w->op == EVENT_RMW ? w->value2 : w->value) == value;
    if (same && (s->of.data[i] == NOBODY || event >= t->n || leads(s, t->n + s->of.data[event], t->n + s->of.data[i]))) return true;
  }
  return false;
}
